"""The panels on which a lead sets a study up, one for each step."""
