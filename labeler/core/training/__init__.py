"""Training: what to draw, what was answered, what to suggest next."""
