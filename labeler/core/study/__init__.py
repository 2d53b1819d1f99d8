"""The study itself: people, phases, exchange files, backups."""
