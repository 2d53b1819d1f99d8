"""The names of the steps from an empty study to a running evaluation."""

from enum import StrEnum


class SetupStep(StrEnum):
    """What a lead sets up, in the usual order."""

    IMAGES = "Images to classify"
    REFERENCES = "Reference images"
    TRAINING = "Images to train on"
    PEOPLE = "People"
    SETTINGS = "Study settings"
    SAMPLE = "Sample"
    PHASES = "Phases"
    MODELS = "Models"
    REVIEWS = "Review plans"
    KEEPING = "Backups and check"
    FILES = "Files in and out"
    SHARING = "Other computers"
