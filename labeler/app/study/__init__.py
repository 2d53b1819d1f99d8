"""A study and its people: home, sign-in, phases, settings, backups, checks."""
