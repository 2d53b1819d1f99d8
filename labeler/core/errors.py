"""Errors that become a sentence for a person, told apart by whose fault they are."""

from pathlib import Path


class LabelerError(Exception):
    """A message that a person can act on; everything else that is raised is a defect of ours.

    `by_command` is what to type about it, for those who type; the window has its own words.
    """

    def __init__(self, sentence: str, *, by_command: str = "") -> None:
        super().__init__(sentence)
        self.by_command = by_command

    @property
    def typed(self) -> str:
        """The message for somebody at a terminal."""
        return f"{self} {self.by_command}" if self.by_command else str(self)


class RefusedError(LabelerError):
    """What the person asked for breaks a rule or names something that isn't there."""


class EnvironmentFault(LabelerError):
    """The machine can't do it: a full disk, a missing library, a file nobody may read."""


class InputError(RefusedError):
    """A file holds something that can't be accepted, at a place that the message names."""

    def __init__(
        self,
        problem: str,
        *,
        file: Path | str,
        line: int | None = None,
        column: str | None = None,
        others: tuple["InputError", ...] = (),
        by_command: str = "",
    ) -> None:
        place = [str(file)]
        if line is not None:
            place.append(f"line {line}")
        if column is not None:
            place.append(f"column {column}")
        super().__init__(f"{', '.join(place)}: {problem}", by_command=by_command)
        self.problem = problem
        self.file = file
        self.line = line
        self.column = column
        # Further faults of the same file, for somebody who wants to mend them all at once.
        self.others = others
