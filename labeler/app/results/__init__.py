"""The results screen and the report."""
