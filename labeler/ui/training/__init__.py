"""Training: start, feedback, progress, discussion."""
