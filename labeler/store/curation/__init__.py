"""Candidate pools and built datasets as core types."""
