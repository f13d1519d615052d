"""Derived edges, which no author wrote: references in texts, shared rare names, folders."""
