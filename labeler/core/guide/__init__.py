"""Versions of the guide's pages."""
