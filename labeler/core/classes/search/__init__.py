"""Searching the classes by name, identifier and description."""
