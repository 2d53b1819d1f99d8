"""The layout of a study's folder."""

from dataclasses import dataclass
from pathlib import Path

from labeler.core.errors import EnvironmentFault, RefusedError


@dataclass(frozen=True, slots=True)
class StudyFolder:
    """The paths inside a study's folder; images stay where they are."""

    path: Path

    @property
    def database(self) -> Path:
        return self.path / "study.db"

    @property
    def server(self) -> Path:
        """The address of the PostgreSQL database of a shared study."""
        return self.path / "server.toml"

    @property
    def image_folders(self) -> Path:
        """This machine's own image folders of a shared study."""
        return self.path / "image-folders.json"

    @property
    def local_pack(self) -> Path:
        """The pack that this machine uses of a shared study that it joined."""
        return self.path / "pack.json"

    @property
    def thumbnails(self) -> Path:
        return self.path / "thumbnails"

    @property
    def backups(self) -> Path:
        return self.path / "backups"

    @property
    def last_check(self) -> Path:
        """When the study was last checked, and what was found."""
        return self.path / "last-check.json"

    @property
    def guide(self) -> Path:
        return self.path / "guide"

    @property
    def journal(self) -> Path:
        """Answers that couldn't be written to the database yet."""
        return self.path / "journal"

    @property
    def windows(self) -> Path:
        """Locks of the sessions that are open in windows now."""
        return self.path / "windows"

    @property
    def scoring(self) -> Path:
        """Predictions of models that are being scored."""
        return self.path / "scoring"

    @property
    def near_duplicates(self) -> Path:
        """Pixels and features of images as they are compared; they can be computed again."""
        return self.path / "near-duplicates"

    def exists(self) -> bool:
        return self.database.is_file() or self.server.is_file()

    def require_present(self) -> None:
        """Refuse if the folder of an open study has been moved, because writes would be lost."""
        if not self.exists():
            raise EnvironmentFault(
                f"The study's folder {self.path} no longer exists. It was moved, renamed or "
                "removed while the study was open. Move it back, or close the study and open it "
                "at its new location."
            )

    def require(self) -> None:
        """Refuse a folder without a study, with hints."""
        if not self.exists():
            raise RefusedError(
                f"There is no study at '{self.path}'{self._missing_reason()}",
                by_command=f"Create one with `labeler new {self.path}`, or try the demo with "
                "`labeler demo`.",
            )

    def _missing_reason(self) -> str:
        if not self.path.is_dir():
            return ": the folder doesn't exist. Check the spelling, and whether it was moved."
        reason = (
            f": the folder of a study contains a file {self.database.name}, or "
            f"{self.server.name} if it is on a server."
        )
        near = self._nearby_study()
        return (
            f"{reason} Open another folder." if near is None else f"{reason} Open '{near}' instead."
        )

    def _nearby_study(self) -> Path | None:
        """Return a study's folder directly above or inside this one, or None."""
        try:
            nearby = (self.path.resolve().parent, *sorted(self.path.iterdir()))
            return next((folder for folder in nearby if StudyFolder(folder).exists()), None)
        except OSError:  # no permission
            return None
