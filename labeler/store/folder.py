"""A study is a folder: what lies where in it."""

from dataclasses import dataclass
from pathlib import Path

from labeler.core.errors import Refused


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
    def reports(self) -> Path:
        return self.path / "reports"

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

    def require(self) -> None:
        """Refuse a folder that holds no study, telling how to come by one."""
        if not self.exists():
            raise Refused(
                f"There is no study at '{self.path}'.",
                by_command=f"Make one with `labeler new {self.path}`, or look at the demo with "
                "`labeler demo`.",
            )
