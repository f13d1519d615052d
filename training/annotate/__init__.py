"""Questions annotated for planners: who is asked, what is kept, what is exported."""
