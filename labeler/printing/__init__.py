"""Write HTML and PDF documents from templates and plain data."""
