"""Simulated studies that check the coverage of intervals and the size of tests."""
