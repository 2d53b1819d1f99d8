"""Render the guide as HTML and as one document."""
