"""Model outputs: classes, image order, and the results of a scoring run."""
