"""Planning graphs as a tree of lines, Mermaid and SVG."""
