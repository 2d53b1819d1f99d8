"""How fast the program is, next to the bare cost of the same work."""
