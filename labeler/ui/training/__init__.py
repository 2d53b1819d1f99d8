"""Screens for training: start, feedback, progress, discussion."""
