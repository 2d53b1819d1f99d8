"""Chains of decisions, and the rule by which conflicting ones are ordered."""
