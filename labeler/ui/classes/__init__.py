"""Search, references, comparison and neighbourhood of classes."""
