"""Names in other languages can be given to a study that exists, and replaced by language."""

from pathlib import Path

import pytest

from labeler.app.classes.translated_names import (
    NO_NAMES_FILE,
    LanguageNames,
    add_names,
    name_languages,
    preview_names,
)
from labeler.app.study.studies import new_study
from labeler.core.errors import InputError, RefusedError
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore

MARMOT, BEAVER = "n02361337", "n02363005"


@pytest.fixture
def study(tmp_path: Path, clock) -> StudyStore:
    with new_study(tmp_path / "named", clock=clock) as store:
        yield store


def names(folder: Path, text: str, name: str = "deu.csv") -> Path:
    file = folder / name
    file.write_text(f"wnid,name\n{text}", encoding="utf-8")
    return file


def test_names_are_seen_first_and_then_kept_for_everybody(study, tmp_path, clock) -> None:
    file = names(tmp_path, f"{BEAVER},Biber\n{MARMOT},Murmeltier\n")
    before = study.taxonomy
    seen = preview_names(study, [file])
    assert seen == (LanguageNames(language="deu", classes=2),)
    assert study.taxonomy is before, "looking changes nothing"
    assert add_names(study, [file]) == seen
    assert study.taxonomy[BEAVER].lemmas[-1] == "Biber"
    assert study.identity.taxonomy_version == study.taxonomy.version != before.version
    with open_study(study.folder.path, clock=clock) as again:
        assert again.taxonomy[MARMOT].lemmas[-1] == "Murmeltier"
        assert name_languages(again.taxonomy) == seen
        with again.read() as found:
            assert found.audit.entries()[-1].detail["languages"] == {"deu": 2}


def test_names_in_a_language_that_is_there_are_replaced_only_when_asked_to(study, tmp_path) -> None:
    add_names(study, [names(tmp_path, f"{BEAVER},Biper\n{MARMOT},Murmeltier\n")])
    mended = names(tmp_path, f"{BEAVER},Biber\n")
    assert preview_names(study, [mended]) == (LanguageNames(language="deu", classes=1, before=2),)
    with pytest.raises(RefusedError, match="already has names in deu"):
        add_names(study, [mended])
    assert study.taxonomy[BEAVER].lemmas[-1] == "Biper"
    add_names(study, [mended], replace=True)
    assert study.taxonomy[BEAVER].lemmas[-1] == "Biber"
    assert "Biper" not in study.taxonomy[BEAVER].lemmas
    assert "Murmeltier" not in study.taxonomy[MARMOT].lemmas


def test_another_language_leaves_the_first_alone(study, tmp_path) -> None:
    add_names(study, [names(tmp_path, f"{BEAVER},Biber\n")])
    add_names(study, [names(tmp_path, f"{BEAVER},castor\n", "fra.csv")])
    assert study.taxonomy[BEAVER].lemmas[-2:] == ("Biber", "castor")


def test_one_bad_file_among_good_ones_changes_nothing(study, tmp_path) -> None:
    good, bad = names(tmp_path, f"{BEAVER},Biber\n"), tmp_path / "fra.csv"
    bad.write_text("id,nom\n")
    version = study.taxonomy.version
    with pytest.raises(InputError, match="'wnid' is missing"):
        add_names(study, [good, bad])
    with pytest.raises(RefusedError, match=NO_NAMES_FILE):
        preview_names(study, [])
    assert study.taxonomy.version == version
