"""Layouts and pages."""
