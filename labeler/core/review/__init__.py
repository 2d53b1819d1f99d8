"""Blind review: plan, order, verdicts, resolution."""
