"""Simulated labelers and reviewers."""
