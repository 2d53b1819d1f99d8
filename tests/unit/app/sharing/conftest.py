"""A lead with a packed demo, and computers with homes of their own."""

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from labeler.core.clock import Clock
from labeler.core.study.entities import Role
from labeler.store.study_opening import open_study
from tests.adjustable_clock import AdjustableClock
from tests.shared_packed_demo import PACK, Lead, Person, open_bundle, shared_packed_demo

Opener = Callable[..., Person]


class TickingClock(AdjustableClock):
    """A clock that goes on by a second each time it is read, so that no two answers are equal."""

    def utc(self):
        self.jump(seconds=1)
        return super().utc()


@pytest.fixture
def clock() -> Clock:
    return TickingClock(datetime(2030, 3, 1, 9, tzinfo=UTC))  # after the shared demo was made


@pytest.fixture
def lead(tmp_path: Path, clock: Clock) -> Iterator[Lead]:
    made = shared_packed_demo()
    study = Path(shutil.copytree(made / "study", tmp_path / "study", symlinks=True))
    with open_study(study, clock=clock) as store:
        yield Lead(store, tmp_path, made / PACK)


@pytest.fixture
def on_computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Work at another computer: one with its own home folder."""

    def go(name: str) -> Path:
        home = tmp_path / "homes" / name
        for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
            monkeypatch.setenv(f"XDG_{kind}_HOME", str(home / kind.lower()))
        monkeypatch.setenv("HOME", str(home))
        return home

    return go


@pytest.fixture
def opened(lead: Lead, clock: Clock, on_computer: Callable[[str], Path]) -> Iterator[Opener]:
    """Open a new bundle of a person, or the same file again on another computer."""
    people: list[Person] = []

    def open_for(
        code: str,
        *,
        computer: str = "",
        of: tuple[Path, str] | None = None,
        role: Role | None = None,
        tasks: int = 0,
    ) -> Person:
        file, opening_code = of or lead.bundle(code, role=role, tasks=tasks)
        home = on_computer(computer or code)
        person = open_bundle(lead, file, opening_code, code=code, clock=clock, home=home)
        people.append(person)
        return person

    yield open_for
    for person in people:
        person.store.close()
