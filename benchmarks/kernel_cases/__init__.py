"""One module for each group of cases of ``python -m benchmarks kernels``."""
