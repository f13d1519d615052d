"""Edges that no author wrote: what texts refer to, rare names that documents share, folders."""
