"""Setting up a study, step by step."""
