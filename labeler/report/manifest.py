"""The manifest: inputs and outputs of a report, by hash."""

import platform
from collections.abc import Mapping
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from labeler.core.clock import stamp
from labeler.core.metrics.report_contents import ReportContents
from labeler.report.json_file import settings_of

MANIFEST_FILE = "manifest.json"
_PACKAGES = ("numpy", "scipy", "matplotlib", "Jinja2", "typst")


def report_manifest(contents: ReportContents, files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return inputs, versions, seeds and settings, and the hash of every other file."""
    return {
        "study": contents.study,
        "generated_at": stamp(contents.generated_at),
        "settings": settings_of(contents),
        "inputs_sha256": dict(contents.inputs),
        "versions": {
            "labeler": contents.program_version,
            "python": platform.python_version(),
            **{package: version(package) for package in _PACKAGES},
        },
        "files_sha256": {name: sha256(data).hexdigest() for name, data in sorted(files.items())},
    }
