"""A figure of the report that a notebook shows."""

from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

from labeler.core.errors import RefusedError
from labeler.images.atomic_write import write_atomically


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyFigure:
    """A figure with its title and caption; a notebook shows it as a drawing."""

    name: str
    title: str
    caption: str
    svg: str = field(repr=False)
    png: bytes = field(repr=False)

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the figure as .svg or .png, by the extension of `path`, and return the path."""
        file = Path(path)
        contents = {".svg": self.svg.encode(), ".png": self.png}.get(file.suffix.lower())
        if contents is None:
            raise RefusedError(f"'{file.name}' has an unsuitable extension. Use .svg or .png.")
        write_atomically(file, contents)
        return file

    def _repr_svg_(self) -> str:
        return self.svg
