"""Fields, buttons and key caps."""
