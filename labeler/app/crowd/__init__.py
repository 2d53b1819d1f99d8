"""Use cases of crowd tasks."""
