"""Other people's files, told in rows of the exchange format."""
