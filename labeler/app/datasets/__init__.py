"""Importing images, drawing references and samples, moving and removing datasets."""
