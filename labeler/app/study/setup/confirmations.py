"""The texts of confirmations before a permanent change."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from labeler.app.classes.translated_names import LanguageNames
from labeler.app.confirmation import Confirmation
from labeler.app.datasets.relocation import RelocationPreview
from labeler.app.study.setup.facts import SetupFacts
from labeler.core.study.entities import DatasetRole
from labeler.core.study.phases import PHASE_NAMES, Phase
from labeler.core.text import count_noun, join_some

STOP_AND_GO_HOME = "Stop and go home"

REFERENCES_LOST = (
    "Classes that use these reference images will have none, and guide pages that show them will "
    "have gaps. "
)
BACKUP_FIRST = "The study is backed up first."


def opening_confirmation(facts: SetupFacts) -> Confirmation:
    """Opening the evaluation needs a confirmation because it freezes the sample and the guide."""
    images = count_noun(facts.study.sample_images, "image")
    people = ", ".join(facts.study.labelers)
    return Confirmation(
        "Open the evaluation?",
        f"The sample of {images} can't be replaced any more, and {GUIDE_FROZEN}. These labelers "
        f"can start: {people}. {BACKUP_FIRST}",
        "Open the evaluation",
    )


def locking_confirmation(phase: Phase, facts: SetupFacts) -> Confirmation:
    if phase is Phase.EVALUATE:
        words = (
            f"{_unfinished(facts)}Answers can't be added or changed any more, and the evaluation "
            f"can't be reopened. {BACKUP_FIRST}"
        )
        return Confirmation("Lock the evaluation?", words, "Lock permanently")
    return Confirmation(
        f"Lock the {PHASE_NAMES[phase]}?", f"{LOCKING_EFFECTS[phase]} {BACKUP_FIRST}", "Lock"
    )


def replacement_confirmation(facts: SetupFacts) -> Confirmation:
    held = facts.sample.images if facts.sample is not None else 0
    return Confirmation(
        "Replace the sample?",
        f"The current sample of {count_noun(held, 'image')} is discarded. None of them has been "
        f"answered yet. {BACKUP_FIRST}",
        "Replace",
    )


def removal_confirmation(name: str, facts: SetupFacts) -> Confirmation:
    dataset = next((one for one in facts.datasets if one.name == name), None)
    held = 0 if dataset is None else dataset.images
    shown = dataset is not None and dataset.role is DatasetRole.REFERENCE and dataset.complete
    return Confirmation(
        f"Remove {name} from the study?",
        f"This removes {count_noun(held, 'image')} with their targets and import notes from the "
        f"study. {REFERENCES_LOST if shown else ''}{FILES_STAY} {BACKUP_FIRST}",
        "Remove",
    )


def relocation_confirmation(name: str, folder: Path, there: RelocationPreview) -> Confirmation:
    """Confirm a folder from which part of the dataset is missing."""
    return Confirmation(
        f"Use this folder for {name} anyway?",
        f"{there.sentence} The folder is {folder}. Missing images can't be shown until you add "
        "them or choose another folder.",
        "Use this folder",
    )


def renaming_confirmation(seen: Iterable[LanguageNames]) -> Confirmation:
    """Confirm replacing names in a language that the study already has."""
    twice = [one for one in seen if one.before]
    named = ", ".join(one.language for one in twice)
    counts = "; ".join(
        f"{count_noun(one.before, 'class', 'classes')} before, {one.classes:,} afterwards"
        for one in twice
    )
    return Confirmation(
        f"Replace the names in {named}?",
        f"Searches will no longer find the current names in {named} ({counts}). Answers don't "
        f"change. {BACKUP_FIRST}",
        "Replace",
    )


def overwrite_confirmation(folder: Path, files: Sequence[str]) -> Confirmation:
    """Confirm overwriting files with an export."""
    return Confirmation(
        f"Replace {count_noun(len(files), 'file')}?",
        f"The export overwrites files in {folder}: {join_some(files)}. To keep them, choose "
        "another folder.",
        "Replace",
    )


def leaving_confirmation(what: str, *, atomic: bool) -> Confirmation:
    """Confirm leaving while work is in progress, which stops it."""
    return Confirmation(
        "Stop the current task?",
        f"{what} is in progress and stops if you leave. {NOTHING_KEPT if atomic else PART_KEPT}",
        STOP_AND_GO_HOME,
    )


GUIDE_FROZEN = "the guide is frozen"
FILES_STAY = "The files stay on disk."
NOTHING_KEPT = "Nothing is kept, but you can start again later."
PART_KEPT = "What was done so far is kept, and you can resume it in Set up."
_REVIEW_LOCKED = (
    "The blind verdicts are final, and disagreements can be settled. You can reopen the review to "
    "extend its plan, but labels that were discussed take no more blind verdicts."
)
LOCKING_EFFECTS = {
    Phase.ANNOTATE: _REVIEW_LOCKED,
    Phase.TRAIN: "Labelers can't train until you open it again.",
    Phase.REVIEW: _REVIEW_LOCKED,
}


def _unfinished(facts: SetupFacts) -> str:
    waiting = [one for one in facts.study.progress if one.left > 0]
    if not waiting:
        return ""
    named = ", ".join(f"{one.labeler} has {one.left:,} of {one.total:,}" for one in waiting)
    return f"Some labelers haven't finished: {named} images left to answer. "
