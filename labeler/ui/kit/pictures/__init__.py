"""Showing images: canvas, zoom, contact sheets."""
