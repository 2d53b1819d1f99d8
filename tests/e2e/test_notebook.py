"""The notebook in docs/ runs, and its table is that of the report."""

import json
from pathlib import Path

import pandas as pd
import pytest

from labeler.cli import main
from tests.shared_finished_demo import shared_finished_demo

NOTEBOOK = Path(__file__).parents[2] / "docs" / "analysis.ipynb"


def run_cells() -> dict[str, object]:
    """Run the code of the notebook in one namespace, as a kernel would, and return its names."""
    names: dict[str, object] = {}
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    return names


def test_the_notebook_repeats_the_main_table_and_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = shared_finished_demo()
    monkeypatch.setenv("LABELER_STUDY", str(study))
    names = run_cells()
    assert main(["report", str(study), "--out", str(tmp_path), "--format", "json,svg"]) == 0
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    table = names["main_table"]
    assert isinstance(table, pd.DataFrame)
    for row in report["accuracy"]:
        if (row["metric"], row["subset"]) == ("multi_label", "all"):
            assert table.loc[row["participant"], row["dataset"]] == row["accuracy"]
    for row in report["gap_intervals"]:
        if (row["metric"], row["subset"]) == ("multi_label", "all"):
            found = table.loc[row["participant"], ["gap", "gap_low", "gap_high"]]
            assert found.tolist() == [row["gap"], row["ci_low"], row["ci_high"]]
    figure = names["main_figure"]
    file = tmp_path / "figures" / f"{figure.name}.svg"
    assert file.read_text(encoding="utf-8") == figure.svg
