"""Trials, answers and drafts of labelers."""
