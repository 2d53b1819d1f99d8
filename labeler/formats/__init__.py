"""Convert files of other programs to and from rows of the exchange format."""
