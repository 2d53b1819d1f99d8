"""Choosing and scoring models."""
