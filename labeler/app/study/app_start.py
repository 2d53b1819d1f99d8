"""How a person comes to a study without the command line: the demo, or a study of their own."""

from pathlib import Path

import platformdirs

from labeler.app.progress import ProgressReporter
from labeler.app.study.start import NewStudyForm
from labeler.core.clock import Clock
from labeler.core.errors import RefusedError
from labeler.core.study.codes import is_valid_code
from labeler.core.study.entities import Role

# The use cases import what they need when they are asked for: a window that merely offers them
# mustn't wait for the database's and the composer's modules.


def demo_folder() -> Path:
    """Where the window puts the demo."""
    return Path(platformdirs.user_data_dir("labeler", appauthor=False)) / "demo"


def make_demo(folder: Path, *, clock: Clock, progress: ProgressReporter) -> Path:
    """Build the demo, or finish one that was interrupted; a finished one is only looked at."""
    from labeler.demo.demo_study import build_demo

    build_demo(folder, clock=clock, progress=progress).close()
    return folder


def new_study_with_lead(wanted: NewStudyForm, *, clock: Clock) -> Path:
    """Make an empty study with its lead, who alone can sign in until others are added."""
    from labeler.app.study.people import add_person
    from labeler.app.study.settings import change_settings, set_lead_passphrase
    from labeler.app.study.studies import new_study
    from labeler.core.classes.taxonomy import load

    if not is_valid_code(wanted.lead_code):  # before anything is on disk
        raise RefusedError(
            f"'{wanted.lead_code}' can't be a participant's code: up to 64 characters, without "
            "spaces, commas, bars or slashes."
        )
    taxonomy = None if wanted.taxonomy is None else load(wanted.taxonomy)
    with new_study(
        wanted.folder,
        clock=clock,
        name=wanted.name.strip(),
        taxonomy=taxonomy,
        names=wanted.names,
    ) as store:
        add_person(store, wanted.lead_code, roles=[Role.LEAD])
        if wanted.asks_confidence:
            change_settings(store, asks_confidence=True)
        if wanted.passphrase:
            set_lead_passphrase(store, wanted.passphrase)
    return wanted.folder
