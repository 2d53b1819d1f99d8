"""Read, edit and merge the guide."""
