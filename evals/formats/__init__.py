"""Official layouts of public benchmarks, turned into corpus bundles."""
