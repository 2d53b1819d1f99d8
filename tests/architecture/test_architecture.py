"""The page on the architecture is true: its diagram, the files it names, and the contracts."""

import re
import tomllib
from pathlib import Path

import grimp
import pytest

from tests.architecture import diagram

CHECKOUT = diagram.PAGE.parents[1]


@pytest.fixture(scope="module")
def page() -> str:
    return diagram.PAGE.read_text(encoding="utf-8")


def test_the_diagram_is_up_to_date() -> None:
    assert diagram.written() == diagram.generated(), (
        "write it again: python -m tests.architecture.diagram"
    )


def test_every_package_is_named_on_the_page(page: str) -> None:
    graph = grimp.build_graph("labeler", cache_dir=None)
    assert [name for name in diagram.packages(graph) if name not in page] == []


def test_every_file_that_the_page_names_exists(page: str) -> None:
    named = set(re.findall(r"`([\w/]+\.py)`", page))
    assert named
    assert [name for name in sorted(named) if not (CHECKOUT / "labeler" / name).is_file()] == []


def test_every_contract_against_a_library_names_every_package() -> None:
    settings = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    packages = {
        path.stem
        for path in (CHECKOUT / "labeler").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").is_file()
    } - {"__init__", "__main__"}
    against_libraries = [
        c for c in contracts if c["type"] == "forbidden" and " only in " in c["name"]
    ]
    assert against_libraries
    for contract in against_libraries:
        exempt = Path(contract["name"].rpartition(" only in ")[2]).name
        named = {name.removeprefix("labeler.") for name in contract["source_modules"]}
        assert named == packages - {exempt}, contract["name"]
