"""LILaC's nodes: seed a beam, expand it over edges."""
