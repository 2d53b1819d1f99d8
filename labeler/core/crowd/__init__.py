"""Crowd tasks: grids of images, selection frequencies, candidate labels, objects."""
