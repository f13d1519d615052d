"""LILaC's verbs: seed a beam, expand it over edges."""
