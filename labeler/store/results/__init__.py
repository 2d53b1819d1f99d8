"""What the report reads of a study."""
