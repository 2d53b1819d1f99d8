"""Labels, messages and painted text."""
