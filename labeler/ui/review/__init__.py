"""Blind review by image and by class, disagreements, reviewers."""
