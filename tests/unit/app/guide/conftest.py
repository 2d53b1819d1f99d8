"""A study with people who write its guide, and its training open."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from labeler.app.guide.guide_writer import GuideWriter
from labeler.app.guide.publish import PageChange, PageConflict, PageSaved
from labeler.app.guide.study_guide import StudyGuide
from labeler.app.study.people import add_person
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase
from labeler.store.study_store import StudyStore

PAGE = "marmot-and-beaver"
MARMOT, BEAVER, OTTER, TENCH, GOLDFISH = (
    "n02361337",
    "n02363005",
    "n02444819",
    "n01440764",
    "n01443537",
)


@dataclass(frozen=True)
class Writers:
    """A study's people at their desks."""

    store: StudyStore
    guide: StudyGuide

    def writer(self, code: str = "A", role: Role = Role.LABELER) -> GuideWriter:
        return GuideWriter(self.store, self.guide, code=code, role=role)

    def text(self, slug: str = PAGE) -> str:
        with self.store.read() as study:
            head = study.guide.head(slug)
        assert head is not None
        return head.text

    def edit(
        self, old: str, new: str, *, code: str = "A", base: int = 1, text: str | None = None
    ) -> PageSaved | PageConflict:
        """Save the page with some words replaced."""
        changed = (text or self.text()).replace(old, new)
        assert changed != (text or self.text())
        return self.writer(code).save(
            PageChange(slug=PAGE, text=changed, base=base, comment=f"{new} it is")
        )


@pytest.fixture
def writers(store: StudyStore) -> Writers:
    for code, role in (("A", Role.LABELER), ("B", Role.LABELER), ("R", Role.REVIEWER)):
        add_person(store, code, roles=[role])
    add_person(store, "L", roles=[Role.LEAD])
    with store.write() as study:
        study.phases.open(Phase.TRAIN)
    made = Writers(store, StudyGuide(store))
    made.guide.current()
    return made


@pytest.fixture
def set_phase(store: StudyStore) -> Callable[..., None]:
    """Opens or locks a phase past the rules, which are tested elsewhere."""

    def change(phase: Phase, *, lock: bool = False) -> None:
        with store.write() as study:
            study.phases.lock(phase) if lock else study.phases.open(phase)

    return change
