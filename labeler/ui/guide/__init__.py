"""Reading, writing and merging the guide."""
