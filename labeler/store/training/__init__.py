"""Trainings, their pool and their history."""
