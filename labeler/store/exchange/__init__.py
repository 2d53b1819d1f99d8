"""The exchange format, into a study and out of it."""
