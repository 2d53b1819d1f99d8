"""Review plans, verdicts and resolutions."""
