"""A study is a folder: what is where in it."""

from dataclasses import dataclass
from pathlib import Path

from labeler.core.errors import EnvironmentFault, RefusedError


@dataclass(frozen=True, slots=True)
class StudyFolder:
    """The places inside a study's folder; images stay where they are."""

    path: Path

    @property
    def database(self) -> Path:
        return self.path / "study.db"

    @property
    def server(self) -> Path:
        """Holds the address of a PostgreSQL database when the study is shared."""
        return self.path / "server.toml"

    @property
    def thumbnails(self) -> Path:
        return self.path / "thumbnails"

    @property
    def backups(self) -> Path:
        return self.path / "backups"

    @property
    def guide(self) -> Path:
        return self.path / "guide"

    @property
    def journal(self) -> Path:
        """Holds the answers that the database couldn't take yet."""
        return self.path / "journal"

    @property
    def scoring(self) -> Path:
        """Holds what models have said so far, while they are being scored."""
        return self.path / "scoring"

    def exists(self) -> bool:
        return self.database.is_file() or self.server.is_file()

    def require_present(self) -> None:
        """Say so when an open study was moved away: what is written then may be found by no one."""
        if not self.exists():
            raise EnvironmentFault(
                f"The study's folder {self.path} isn't there any more: it was moved, renamed or "
                "removed while the study was open. Put it back there, or close the study and open "
                "it where it lies now."
            )

    def require(self) -> None:
        """Refuse a folder that holds no study, telling what one looks like and how to get it."""
        if not self.exists():
            raise RefusedError(
                f"There is no study at '{self.path}'{self._missing_reason()}",
                by_command=f"Make one with `labeler new {self.path}`, or look at the demo with "
                "`labeler demo`.",
            )

    def _missing_reason(self) -> str:
        if not self.path.is_dir():
            return ": there is no such folder. Check how it is spelled, and whether it was moved."
        reason = (
            f": the folder of a study holds a file {self.database.name}, or {self.server.name} if "
            "its answers are on a server."
        )
        near = self._nearby_study()
        return (
            f"{reason} Open one that does." if near is None else f"{reason} Open '{near}' instead."
        )

    def _nearby_study(self) -> Path | None:
        """A study's folder right around this one or right inside it, where people miss by one."""
        try:
            nearby = (self.path.resolve().parent, *sorted(self.path.iterdir()))
            return next((each for each in nearby if StudyFolder(each).exists()), None)
        except OSError:  # no one may look there
            return None
