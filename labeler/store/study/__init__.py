"""The study's folder, people, sessions, phases, settings and backups."""
