"""Use cases without Qt: what a person can do with a study."""
