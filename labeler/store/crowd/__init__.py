"""The tables of crowd tasks as core types."""
