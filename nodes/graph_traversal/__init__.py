"""Walking the component graph: paths of links, coverage along them, mentions, linked rows."""
