"""What annotators say about images, targets and predictions."""
