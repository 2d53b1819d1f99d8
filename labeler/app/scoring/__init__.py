"""Scoring models over a study: what to score, going on where it stopped, storing it."""
