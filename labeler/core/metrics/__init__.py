"""Compute the numbers of a report from a study's answers, given as arrays."""
