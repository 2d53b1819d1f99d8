"""Read the data of a report from a study."""
