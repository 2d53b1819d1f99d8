"""Benchmarks on a study as large as they come, each step in a process of its own."""
