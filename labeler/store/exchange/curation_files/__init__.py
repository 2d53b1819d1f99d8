"""The exchange files of candidate pools and built datasets."""
