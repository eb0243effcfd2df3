"""Benchmarks: measurements that anyone can repeat; run ``python -m benchmarks --help``."""
