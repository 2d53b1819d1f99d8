"""Widgets that several capabilities share."""
