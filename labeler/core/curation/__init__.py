"""Building a test set: candidate pools, near-duplicates, sampling strategies, revisions."""
