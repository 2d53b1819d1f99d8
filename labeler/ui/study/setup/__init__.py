"""The steps of setting a study up."""
