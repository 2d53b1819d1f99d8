"""The registry of all file formats: what is read and written, and where it is described."""

from dataclasses import dataclass
from enum import StrEnum

from labeler.app.exchange.file_recognition import ForeignFormat


class ExportFormat(StrEnum):
    """The formats in which a study can be exported."""

    EXCHANGE = "exchange"
    PARQUET = "parquet"
    HUGGING_FACE = "hugging-face"
    CROISSANT = "croissant"
    FIFTYONE = "fiftyone"
    MODEL_VS_HUMAN = "model-vs-human"
    TIMM_RESULTS = "timm-results"
    LATEX = "latex"


# All tables of the study, so that options about rows apply.
EXCHANGE_EXPORTS = frozenset(
    {
        ExportFormat.EXCHANGE,
        ExportFormat.PARQUET,
        ExportFormat.HUGGING_FACE,
        ExportFormat.CROISSANT,
        ExportFormat.FIFTYONE,
    }
)

EXPORT_TITLES = {
    ExportFormat.EXCHANGE: "Exchange format: all answers and verdicts as CSV",
    ExportFormat.PARQUET: "Parquet: all answers and verdicts, typed and quick to read",
    ExportFormat.HUGGING_FACE: "Hugging Face datasets: Parquet with a dataset card",
    ExportFormat.CROISSANT: "Croissant: CSV with metadata for machine-learning tools",
    ExportFormat.FIFTYONE: "FiftyOne: CSV with a script that makes the dataset",
    ExportFormat.MODEL_VS_HUMAN: "model-vs-human: trials of people and models",
    ExportFormat.TIMM_RESULTS: "timm results: accuracies of the models",
    ExportFormat.LATEX: "LaTeX: the report's tables (booktabs)",
}
assert set(EXPORT_TITLES) == set(ExportFormat)

_TARGETS = "These files contain the targets. Don't give them to labelers."
_EXCHANGE_OMISSIONS = (
    "Not included: the image files, people's roles, references, the sample, the phases, "
    "training, settings and the guide. A backup contains the whole study."
)
_NO_LICENCE = (
    "croissant.json says nothing about a licence or a citation. Add them before you publish."
)
FORMAT_OMISSIONS = {
    ExportFormat.EXCHANGE: (_EXCHANGE_OMISSIONS, _TARGETS),
    ExportFormat.PARQUET: (_EXCHANGE_OMISSIONS, _NO_LICENCE, _TARGETS),
    ExportFormat.HUGGING_FACE: (
        "Not included unless asked for: the pictures, which may not be yours to publish.",
        "Not included: people's roles, references, the sample, the phases, training, settings and "
        "the guide.",
        _NO_LICENCE,
        _TARGETS,
    ),
    ExportFormat.CROISSANT: (_EXCHANGE_OMISSIONS, _NO_LICENCE, _TARGETS),
    ExportFormat.FIFTYONE: (
        "The script needs the package fiftyone, and reads the pictures from where they are now.",
        _EXCHANGE_OMISSIONS,
        _TARGETS,
    ),
    ExportFormat.MODEL_VS_HUMAN: (
        "Not included: models' lower-ranked predictions and scores, escape hatches, multi-labels, "
        "reviews and problematic images.",
        "Times are active times, or wall-clock times if the active time is unknown.",
        _TARGETS,
    ),
    ExportFormat.TIMM_RESULTS: (
        "Not included: people, and which images a model classifies correctly. Multi-labels and "
        "problematic images are ignored, as in timm's own tables.",
        "A model with a single prediction per image has no top-5 accuracy.",
    ),
    ExportFormat.LATEX: (
        "Tables for printing (booktabs). They can't be imported again.",
        "For other formats of the report, go to Results.",
    ),
}
assert set(FORMAT_OMISSIONS) == set(ExportFormat)


def format_omissions(wanted: ExportFormat) -> tuple[str, ...]:
    """Return what the format leaves out, and notes about it."""
    return FORMAT_OMISSIONS[wanted]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFormat:
    """A row of the matrix: how a format gets in and out; a command is empty where it can't."""

    name: str
    holds: str
    import_command: str = ""
    export_format: ExportFormat | None = None
    foreign: ForeignFormat | None = None
    window_import: str = ""

    @property
    def export_command(self) -> str:
        if self.export_format is None:
            return ""
        if self.export_format is ExportFormat.EXCHANGE:
            return "labeler export"
        return f"labeler export --format {self.export_format}"


_IMPORT = "labeler import"
_FILES = "Files in and out"
_IMAGES = "Images to classify"
FILE_FORMATS = (
    FileFormat(
        name="ImageNet, a folder for each class",
        holds="images and targets",
        import_command="labeler add-dataset",
        window_import=_IMAGES,
    ),
    FileFormat(
        name="ImageNet's validation files in one folder",
        holds="images and targets",
        import_command="labeler add-dataset --labels",
        window_import=_IMAGES,
    ),
    FileFormat(
        name="ImageNetV2",
        holds="images and targets",
        import_command="labeler add-dataset",
        window_import=_IMAGES,
    ),
    FileFormat(
        name="A CSV manifest",
        holds="images and targets",
        import_command="labeler add-dataset --layout manifest",
        window_import=_IMAGES,
    ),
    FileFormat(
        name="Predictions as .npy",
        holds="a model's predictions",
        import_command="labeler import-predictions",
        window_import=_FILES,
    ),
    FileFormat(
        name="human_accuracy.pickle",
        holds="a whole study",
        import_command=_IMPORT,
        foreign=ForeignFormat.HUMAN_ACCURACY,
        window_import=_FILES,
    ),
    FileFormat(
        name="human_accuracy_v3.0.0.json",
        holds="multi-labels, problematic images",
        import_command=_IMPORT,
        foreign=ForeignFormat.JUDGED,
        window_import=_FILES,
    ),
    FileFormat(
        name="real.json",
        holds="multi-labels",
        import_command=_IMPORT,
        foreign=ForeignFormat.REAL,
        window_import=_FILES,
    ),
    FileFormat(
        name="The exchange format",
        holds="answers, verdicts, crowd tasks",
        import_command=_IMPORT,
        export_format=ExportFormat.EXCHANGE,
        window_import=_FILES,
    ),
    FileFormat(
        name="Parquet",
        holds="the same as the exchange format",
        import_command=_IMPORT,
        export_format=ExportFormat.PARQUET,
        window_import=_FILES,
    ),
    FileFormat(
        name="Hugging Face datasets",
        holds="the same, images with their labels, pictures on request",
        import_command=_IMPORT,
        export_format=ExportFormat.HUGGING_FACE,
        window_import=_FILES,
    ),
    FileFormat(
        name="Croissant",
        holds="the exchange format and metadata",
        import_command=_IMPORT,
        export_format=ExportFormat.CROISSANT,
        window_import=_FILES,
    ),
    FileFormat(
        name="FiftyOne",
        holds="the exchange format and a script",
        import_command=_IMPORT,
        export_format=ExportFormat.FIFTYONE,
        window_import=_FILES,
    ),
    FileFormat(
        name="model-vs-human",
        holds="trials",
        export_format=ExportFormat.MODEL_VS_HUMAN,
    ),
    FileFormat(
        name="timm's results",
        holds="accuracies of models",
        export_format=ExportFormat.TIMM_RESULTS,
    ),
    FileFormat(
        name="LaTeX tables",
        holds="tables of the report",
        export_format=ExportFormat.LATEX,
    ),
    FileFormat(
        name="Image factors",
        holds="properties of images, as subsets",
        import_command="labeler import-factors",
    ),
    FileFormat(
        name="Classes that are often confused",
        holds="pairs of classes",
        import_command="labeler import-confusions",
    ),
)
assert {f.export_format for f in FILE_FORMATS} - {None} == set(ExportFormat)
assert {f.foreign for f in FILE_FORMATS} - {None} == set(ForeignFormat)


def format_matrix() -> str:
    """Return the matrix of all formats as a Markdown table."""
    lines = ["| format | holds | import | in the window | export |", "|---|---|---|---|---|"]
    for each in FILE_FORMATS:
        cells = (
            f"[{each.name}](#{_anchor(each.name)})",
            each.holds,
            _code(each.import_command),
            each.window_import or "–",
            _code(each.export_command),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _code(command: str) -> str:
    return f"`{command}`" if command else "–"


def _anchor(heading: str) -> str:
    """Return the anchor of a heading, as Markdown viewers make it."""
    kept = "".join(c for c in heading.lower() if c.isalnum() or c in " -_")
    return kept.replace(" ", "-")
