"""How fast the program is, beside the bare cost of the same work."""
