"""Names in another language come from wordnets' tab files and from CSV files."""

from pathlib import Path

import pytest

from labeler.core.classes.search.class_search import ClassSearch
from labeler.core.classes.taxonomy import dump, load_default, parse, with_names
from labeler.core.errors import InputError, LabelerError, RefusedError
from labeler.formats.class_names import read_class_names

MARMOT, BEAVER = "n02361337", "n02363005"
TAB = (
    "# Open German Wordnet\tdeu\thttps://example.org\tCC BY-SA\n"
    "02361337-n\tdeu:lemma\tMurmel_tier\n"
    "02361337-n\tdeu:def\t0\tein Nagetier\n"
    "02363005-n\tlemma\tBiber\n"
    "02363005-n\tlemma\tбобр\n"
    "00001740-v\tlemma\tatmen\n"
)


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_a_tab_file_names_nouns_in_its_language(tmp_path: Path) -> None:
    read = read_class_names(write(tmp_path, "wn-data-deu.tab", TAB))
    assert read.language == "deu"
    assert read.names == {MARMOT: ("Murmel tier",), BEAVER: ("Biber", "бобр")}


def test_a_csv_names_classes_by_wnid(tmp_path: Path) -> None:
    text = f"\ufeffwnid,name,language\n{MARMOT},marmotte,français\n{MARMOT},Marmotte,\n{BEAVER},,\n"
    read = read_class_names(write(tmp_path, "names.csv", text))
    assert (read.language, read.names) == ("français", {MARMOT: ("marmotte", "Marmotte")})


def test_the_language_is_the_files_name_where_nothing_else_says(tmp_path: Path) -> None:
    file = write(tmp_path, "suomi.csv", f"wnid,name\n{BEAVER},majava\n")
    assert read_class_names(file).language == "suomi"


def test_names_come_behind_those_that_are_there_and_are_found(tmp_path: Path) -> None:
    read = read_class_names(write(tmp_path, "deu.tab", TAB))
    named = with_names(load_default(), [read])
    assert named[BEAVER].lemmas == (*load_default()[BEAVER].lemmas, "Biber", "бобр")
    assert named.display_names[BEAVER] == "beaver"
    assert [one.language for one in named.names] == ["deu"]
    search = ClassSearch(named)
    for typed in ("biber", "Bibre", "бобр"):
        assert search.search(typed)[0].wnid == BEAVER


def test_a_name_that_is_there_is_not_added_twice(tmp_path: Path) -> None:
    read = read_class_names(write(tmp_path, "x.csv", f"wnid,name\n{BEAVER},Beaver\n"))
    assert with_names(load_default(), [read])[BEAVER] == load_default()[BEAVER]


def test_names_in_a_language_that_is_there_take_the_place_of_those(tmp_path: Path) -> None:
    deu = read_class_names(write(tmp_path, "deu.tab", TAB))
    fra = read_class_names(write(tmp_path, "fra.csv", f"wnid,name\n{BEAVER},castor\n"))
    named = with_names(load_default(), [deu, fra])
    better = read_class_names(write(tmp_path, "deu.csv", f"wnid,name\n{BEAVER},Biber\n"))
    again = with_names(named, [better])
    assert again[BEAVER].lemmas == (*load_default()[BEAVER].lemmas, "castor", "Biber")
    assert again[MARMOT] == load_default()[MARMOT], "the file before named it, this one doesn't"
    assert with_names(with_names(load_default(), [fra]), [better]).version == again.version


def test_two_files_of_one_language_are_taken_together(tmp_path: Path) -> None:
    deu = read_class_names(write(tmp_path, "deu.tab", TAB))
    more = read_class_names(write(tmp_path, "deu.csv", f"wnid,name\n{BEAVER},Meister Bockert\n"))
    named = with_names(load_default(), [deu, more])
    assert named[BEAVER].lemmas[-3:] == ("Biber", "бобр", "Meister Bockert")
    assert len(named.names) == 1


def test_names_are_kept_in_the_taxonomys_file(tmp_path: Path) -> None:
    named = with_names(load_default(), [read_class_names(write(tmp_path, "deu.tab", TAB))])
    read = parse(dump(named), file="x")
    assert (read.version, read.names) == (named.version, named.names)
    assert read.nodes == named.nodes


def test_no_further_names_leave_the_taxonomy_as_it_is() -> None:
    assert with_names(load_default(), []).version == load_default().version


@pytest.mark.parametrize(
    ("name", "contents", "result"),
    [
        ("x.tab", b"02361337-n Murmeltier\n", "line 1: a line must have a synset"),
        ("x.tab", b"00001740-v\tlemma\tatmen\n", "contains no name of a WordNet noun"),
        ("x.tab", b"", "contains no name of a WordNet noun"),
        ("x.csv", b"id,name\nn1,a\n", "'wnid' is missing"),
        ("x.csv", b"", "'wnid' is missing"),
        ("x.csv", b"wnid,name\n\xff\xfe,a\n", "isn't UTF-8 text"),
    ],
)
def test_a_file_that_holds_no_names_says_why(
    tmp_path: Path, name: str, contents: bytes, result: str
) -> None:
    file = tmp_path / name
    file.write_bytes(contents)
    with pytest.raises(InputError) as refused:
        read_class_names(file)
    assert result in str(refused.value)
    assert str(file) in str(refused.value)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(LabelerError, match="can't be read"):
        read_class_names(tmp_path / "nothing.tab")


def test_names_of_no_class_are_refused(tmp_path: Path) -> None:
    read = read_class_names(write(tmp_path, "x.csv", "wnid,name\nn99999999,x\n"))
    with pytest.raises(RefusedError, match="a class of the taxonomy"):
        with_names(load_default(), [read])
