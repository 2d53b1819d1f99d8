"""Setting a study up, step by step."""
