"""Screens for building a dataset: the lead's workspace and the review of classes."""
