"""Start, sign-in, home, settings."""
