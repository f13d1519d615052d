"""Converters from the official releases of public benchmarks to corpus bundles."""
