"""Exact tests, intervals and resampling on arrays; numpy and scipy.special only."""
