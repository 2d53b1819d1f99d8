"""The guide as HTML and as one document."""
