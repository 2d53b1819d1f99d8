"""Scoring models and importing their predictions."""
