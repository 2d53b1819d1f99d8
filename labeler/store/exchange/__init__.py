"""Import and export of the exchange format."""
