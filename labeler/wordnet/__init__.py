"""WordNet, read with NLTK: the only place that knows it."""
