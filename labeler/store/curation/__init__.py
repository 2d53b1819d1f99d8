"""Candidate pools, near-duplicates and built datasets."""
