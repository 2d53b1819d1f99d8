"""Read WordNet with NLTK and build a taxonomy from it."""
