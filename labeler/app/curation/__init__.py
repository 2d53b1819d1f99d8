"""Building a test set: collect candidates, sample, review, revise, declare final."""
