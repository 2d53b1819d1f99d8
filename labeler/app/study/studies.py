"""Creating and opening studies."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from labeler import __version__
from labeler.app.guide.study_guide import import_guide_folder
from labeler.core.classes.taxonomy import Taxonomy, load_default, with_names
from labeler.core.clock import Clock
from labeler.core.hash_order import MAX_SEED, derived_seed, validated_seed
from labeler.formats.class_names import read_class_names
from labeler.locations import GUIDE
from labeler.store.study_opening import back_up_if_changed, create_study, open_study
from labeler.store.study_store import StudyStore


def new_study(
    path: Path,
    *,
    clock: Clock,
    name: str | None = None,
    seed: int | None = None,
    taxonomy: Taxonomy | None = None,
    names: Sequence[Path] = (),
    server: str | None = None,
    group: str | None = None,
) -> StudyStore:
    """Create an empty study without participants; the default seed is derived from its name.

    `names` are files with the classes' names in other languages. Only the owner can read its
    folder, unless a `group` is given.
    """
    classes = with_names(taxonomy or load_default(), map(read_class_names, names))
    called = name or path.resolve().name
    store = create_study(
        path,
        name=called,
        seed=derived_seed(0, "study", called) & MAX_SEED if seed is None else validated_seed(seed),
        taxonomy=classes,
        guide=GUIDE,
        program_version=__version__,
        clock=clock,
        server=server,
        group=group,
    )
    with store.write() as study:
        study.audit.record("study made", name=called, program=__version__)
    if server is not None:
        # Machines that join have no other source of the guide.
        import_guide_folder(store)
    return store


def open_for_work(
    path: Path, *, clock: Clock, backups_apart: timedelta = timedelta()
) -> StudyStore:
    """Open a study, and back it up if it changed since the last backup."""
    store = open_study(path, clock=clock)
    back_up_if_changed(store, apart=backups_apart)
    return store
