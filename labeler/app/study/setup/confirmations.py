"""What is asked once more before the study is changed for good, and in which words."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from labeler.core.study.entities import DatasetRole
from labeler.core.study.phases import SPOKEN, Phase
from labeler.core.text import counted, some

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from labeler.app.classes.translated_names import NamesIn
    from labeler.app.datasets.relocation import FilesThere
    from labeler.app.study.setup.facts import SetUpFacts

_REFERENCES_GO = (
    "The classes that have them as references have none then, and pages of the guide that show "
    "them have a gap there. "
)
_BACKUP = "A backup of the study as it is now is made first."


@dataclass(frozen=True, slots=True)
class Question:
    """What would be done, what that destroys or ends, and the words on the button."""

    heading: str
    words: str
    deed: str


def before_opening(facts: "SetUpFacts") -> Question:
    """The evaluation is the one phase whose opening ends something."""
    images = counted(facts.study.sample_images, "image")
    people = ", ".join(facts.study.labelers)
    return Question(
        "Open the evaluation?",
        f"From then on the sample of {images} can't be replaced, and the guide is frozen: its "
        f"pages, the rules for telling classes apart, stay as they are. Labelers can begin: "
        f"{people}. {_BACKUP}",
        "Open the evaluation",
    )


def before_locking(phase: Phase, facts: "SetUpFacts") -> Question:
    if phase is Phase.EVALUATE:
        words = (
            f"{_unfinished(facts)}Nobody can answer or change an answer afterwards, and it can't "
            f"be undone: the evaluation is never opened again. {_BACKUP}"
        )
        return Question("Lock the evaluation?", words, "Lock it for good")
    return Question(f"Lock the {SPOKEN[phase]}?", f"{_LOCKING[phase]} {_BACKUP}", "Lock it")


def before_replacing(facts: "SetUpFacts") -> Question:
    held = facts.sample.images if facts.sample is not None else 0
    return Question(
        "Replace the sample?",
        f"The {counted(held, 'image')} that were drawn are no sample any more; nobody has answered "
        f"them yet. {_BACKUP}",
        "Replace it",
    )


def before_removing(name: str, facts: "SetUpFacts") -> Question:
    dataset = next((one for one in facts.datasets if one.name == name), None)
    held = 0 if dataset is None else dataset.images
    shown = dataset is not None and dataset.role is DatasetRole.REFERENCE and dataset.complete
    return Question(
        f"Remove {name} from the study?",
        f"The study forgets {counted(held, 'image')} with their targets, and what it noted about "
        f"the files. {_REFERENCES_GO if shown else ''}The files themselves stay where they are. "
        f"{_BACKUP}",
        "Remove it",
    )


def before_relocating(name: str, folder: "Path", there: "FilesThere") -> Question:
    """A folder in which a part of the dataset is missing."""
    return Question(
        f"Take this folder for {name} all the same?",
        f"{there.sentence} The folder is {folder}. What isn't there can't be shown to anybody "
        "until it is put there, or until you say again where it lies.",
        "Take this folder",
    )


def before_renaming(seen: "Iterable[NamesIn]") -> Question:
    """Names in a language that the study has already."""
    twice = [one for one in seen if one.before]
    named = ", ".join(one.language for one in twice)
    had = "; ".join(
        f"{counted(one.before, 'class', 'classes')} before, {one.classes:,} afterwards"
        for one in twice
    )
    return Question(
        f"Replace the names in {named}?",
        f"The names that the study has in {named} are gone from searches ({had}). Answers stay as "
        f"they are. {_BACKUP}",
        "Replace them",
    )


def before_overwriting(folder: "Path", files: "Sequence[str]") -> Question:
    """Files that lie where others would be written."""
    there = counted(len(files), "file that is there", "files that are there")
    return Question(
        f"Replace {counted(len(files), 'file')}?",
        f"The export takes the place of {there}, in {folder}: {some(files)}. What they hold now is "
        "gone. To keep it, choose another folder.",
        "Replace them" if len(files) > 1 else "Replace it",
    )


def before_leaving(what: str, *, whole: bool) -> Question:
    """Whoever leaves stops what is under way."""
    kept = (
        "Nothing of it is kept then: it is done whole or not at all. You can do it again later."
        if whole
        else "What was done so far is kept, and you can go on with it in Set up."
    )
    return Question(
        "Stop what is under way?",
        f"{what} is under way, and stops if you leave. {kept}",
        "Stop and go home",
    )


_REVIEWED = (
    "The blind verdicts are frozen, and disagreements can be settled. It can be opened again for "
    "an extended plan, but labels that were discussed take no blind verdict any more."
)
_LOCKING = {
    Phase.ANNOTATE: _REVIEWED,
    Phase.TRAIN: "Nobody can train until you open it again.",
    Phase.REVIEW: _REVIEWED,
}


def _unfinished(facts: "SetUpFacts") -> str:
    waiting = [one for one in facts.study.progress if one.left > 0]
    if not waiting:
        return ""
    named = ", ".join(f"{one.labeler} has {one.left:,} of {one.total:,}" for one in waiting)
    return f"Not everybody is finished: {named} images left to answer. "
