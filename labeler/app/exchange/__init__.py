"""Files into a study and out of it."""
