"""A planning graph as a tree of lines, as Mermaid and as SVG."""
