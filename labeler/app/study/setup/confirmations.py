"""What is asked once more before the study is changed for good, and in which words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from labeler.app.classes.translated_names import LanguageNames
from labeler.app.datasets.relocation import RelocationPreview
from labeler.app.study.setup.facts import SetupFacts
from labeler.core.study.entities import DatasetRole
from labeler.core.study.phases import PHASE_NAMES, Phase
from labeler.core.text import count_noun, join_some

_REFERENCES_GO = (
    "The classes that have them as references have none then, and pages of the guide that show "
    "them have a gap there. "
)
_BACKUP = "A backup of the study as it is now is made first."


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What would be done, what that destroys or ends, and the words on the button."""

    heading: str
    words: str
    button_text: str


def opening_confirmation(facts: SetupFacts) -> Confirmation:
    """The evaluation is the one phase whose opening ends something."""
    images = count_noun(facts.study.sample_images, "image")
    people = ", ".join(facts.study.labelers)
    return Confirmation(
        "Open the evaluation?",
        f"From then on the sample of {images} can't be replaced, and the guide is frozen: its "
        f"pages, the rules for telling classes apart, stay as they are. Labelers can begin: "
        f"{people}. {_BACKUP}",
        "Open the evaluation",
    )


def locking_confirmation(phase: Phase, facts: SetupFacts) -> Confirmation:
    if phase is Phase.EVALUATE:
        words = (
            f"{_unfinished(facts)}Nobody can answer or change an answer afterwards, and it can't "
            f"be undone: the evaluation is never opened again. {_BACKUP}"
        )
        return Confirmation("Lock the evaluation?", words, "Lock it for good")
    return Confirmation(
        f"Lock the {PHASE_NAMES[phase]}?", f"{_LOCKING[phase]} {_BACKUP}", "Lock it"
    )


def replacement_confirmation(facts: SetupFacts) -> Confirmation:
    held = facts.sample.images if facts.sample is not None else 0
    return Confirmation(
        "Replace the sample?",
        f"The {count_noun(held, 'image')} that were drawn are no sample any more; nobody has "
        "answered "
        f"them yet. {_BACKUP}",
        "Replace it",
    )


def removal_confirmation(name: str, facts: SetupFacts) -> Confirmation:
    dataset = next((one for one in facts.datasets if one.name == name), None)
    held = 0 if dataset is None else dataset.images
    shown = dataset is not None and dataset.role is DatasetRole.REFERENCE and dataset.complete
    return Confirmation(
        f"Remove {name} from the study?",
        f"The study forgets {count_noun(held, 'image')} with their targets, and what it noted "
        "about "
        f"the files. {_REFERENCES_GO if shown else ''}The files themselves stay where they are. "
        f"{_BACKUP}",
        "Remove it",
    )


def relocation_confirmation(name: str, folder: Path, there: RelocationPreview) -> Confirmation:
    """A folder in which a part of the dataset is missing."""
    return Confirmation(
        f"Take this folder for {name} all the same?",
        f"{there.sentence} The folder is {folder}. What isn't there can't be shown to anybody "
        "until it is put there, or until you say again where it lies.",
        "Take this folder",
    )


def renaming_confirmation(seen: Iterable[LanguageNames]) -> Confirmation:
    """Names in a language that the study has already."""
    twice = [one for one in seen if one.before]
    named = ", ".join(one.language for one in twice)
    had = "; ".join(
        f"{count_noun(one.before, 'class', 'classes')} before, {one.classes:,} afterwards"
        for one in twice
    )
    return Confirmation(
        f"Replace the names in {named}?",
        f"The names that the study has in {named} are gone from searches ({had}). Answers stay as "
        f"they are. {_BACKUP}",
        "Replace them",
    )


def overwrite_confirmation(folder: Path, files: Sequence[str]) -> Confirmation:
    """Files that lie where others would be written."""
    there = count_noun(len(files), "file that is there", "files that are there")
    return Confirmation(
        f"Replace {count_noun(len(files), 'file')}?",
        f"The export takes the place of {there}, in {folder}: {join_some(files)}. What they "
        "hold now is "
        "gone. To keep it, choose another folder.",
        "Replace them" if len(files) > 1 else "Replace it",
    )


def leaving_confirmation(what: str, *, atomic: bool) -> Confirmation:
    """Anyone who leaves stops what is under way."""
    kept = (
        "Nothing of it is kept then: it is done whole or not at all. You can do it again later."
        if atomic
        else "What was done so far is kept, and you can go on with it in Set up."
    )
    return Confirmation(
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


def _unfinished(facts: SetupFacts) -> str:
    waiting = [one for one in facts.study.progress if one.left > 0]
    if not waiting:
        return ""
    named = ", ".join(f"{one.labeler} has {one.left:,} of {one.total:,}" for one in waiting)
    return f"Not everybody is finished: {named} images left to answer. "
