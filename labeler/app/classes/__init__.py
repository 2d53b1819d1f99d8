"""Finding, comparing and looking up classes."""
