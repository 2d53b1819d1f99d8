"""Making the report of a study: read its answers, compute, write."""
