"""MMAPG's verbs: grow a planning graph, retrieve for a node, examine, compile."""
