"""The taxonomy as a tree."""
