"""MMAPG's nodes: grow a planning graph, retrieve for a node, examine, compile."""
