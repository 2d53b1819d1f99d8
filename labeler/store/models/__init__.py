"""Predictions of models."""
