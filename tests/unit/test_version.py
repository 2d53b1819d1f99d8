"""The version is the same wherever it is written."""

import re
import tomllib
from pathlib import Path

import labeler

_ROOT = Path(__file__).parents[2]


def test_the_citation_and_the_package_have_the_projects_version() -> None:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = (_ROOT / "CITATION.cff").read_text(encoding="utf-8")

    assert labeler.__version__ == project["version"]
    assert re.findall(r"^version: (.+)$", citation, re.MULTILINE) == [project["version"]]
