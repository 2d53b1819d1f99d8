"""Datasets, their images and the samples drawn from them."""
