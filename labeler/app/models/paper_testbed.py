"""The testbed of the paper, and which of its models timm has today."""

import csv
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from labeler.locations import RESOURCES

_FILE = RESOURCES / "paper-testbed.csv"


class TimmMatch(StrEnum):
    """How near timm's model is to the paper's."""

    SAME = "same"
    NEAR = "near"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class PaperModel:
    """A model under the paper's name; `timm` is empty where there is no equivalent."""

    paper: str
    timm: str
    match: TimmMatch
    note: str


def paper_testbed(file: Path = _FILE) -> list[PaperModel]:
    """The models that the paper's appendix lists, in its order."""
    with file.open(encoding="utf-8", newline="") as opened:
        return [
            PaperModel(row["paper"], row["timm"], TimmMatch(row["match"]), row["note"])
            for row in csv.DictReader(opened)
        ]
