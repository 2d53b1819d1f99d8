import os
import shutil
import warnings
from collections.abc import Sequence
from pathlib import Path

import pytest

from labeler.core.classes.taxonomy import DEFAULT_FILE, Taxonomy, dump, parse
from labeler.core.errors import InputError, RefusedError
from labeler.locations import RESOURCES
from labeler.wordnet.taxonomy_builder import build_taxonomy, read_wnids

EXCERPT = Path(__file__).parents[2] / "data" / "wordnet-excerpt"

CRANE_BIRD, CRANE_MACHINE = "n00004544", "n00006787"
MAILLOT_TIGHTS, MAILLOT_SWIMSUIT = "n00007951", "n00008035"
CHIHUAHUA, GOLDEN_GATE_BRIDGE = "n00005663", "n00007397"
CLASSES = (
    *(CRANE_BIRD, CRANE_MACHINE, MAILLOT_TIGHTS, MAILLOT_SWIMSUIT),
    *(CHIHUAHUA, GOLDEN_GATE_BRIDGE),
)
ENTITY, DOG, DOMESTIC_ANIMAL, CANINE = "n00001740", "n00005209", "n00003092", "n00005047"
MALTESE_DOG, WHOOPING_CRANE = "n00005825", "n00004692"


@pytest.fixture(scope="module")
def excerpt() -> Taxonomy:
    return build_taxonomy(EXCERPT, CLASSES)


def copy_of_excerpt(folder: Path) -> Path:
    copy = folder / "wordnet"
    shutil.copytree(EXCERPT, copy)
    return copy


def built(wordnet: Path, wnids: Sequence[str]) -> bytes:
    return dump(build_taxonomy(wordnet, wnids))


def test_a_taxonomy_has_the_classes_and_everything_above_them(excerpt: Taxonomy) -> None:
    assert excerpt.class_wnids == tuple(sorted(CLASSES))
    assert excerpt.roots == (ENTITY,)
    assert len(excerpt) == 41
    assert MALTESE_DOG not in excerpt
    assert WHOOPING_CRANE not in excerpt
    assert excerpt[CRANE_BIRD].children == ()


def test_a_node_has_what_wordnet_says_of_it(excerpt: Taxonomy) -> None:
    dog = excerpt[DOG]
    assert dog.lemmas == ("dog", "domestic dog", "Canis familiaris")
    assert dog.gloss.startswith("a member of the genus Canis")
    assert '"' not in dog.gloss
    assert dog.parents == (DOMESTIC_ANIMAL, CANINE)
    assert excerpt[dog.children[0]].name == "toy dog"


def test_every_parent_of_a_node_is_kept(excerpt: Taxonomy) -> None:
    several = {node.name for node in excerpt.nodes.values() if len(node.parents) > 1}
    assert several == {"dog", "clothing"}
    assert len(excerpt.paths(CHIHUAHUA)) == 2


def test_an_instance_hangs_from_what_it_is_an_instance_of(excerpt: Taxonomy) -> None:
    (parent,) = excerpt[GOLDEN_GATE_BRIDGE].parents
    assert excerpt[parent].name == "suspension bridge"


def test_classes_of_one_name_are_distinguished(excerpt: Taxonomy) -> None:
    assert [excerpt.display_names[wnid] for wnid in CLASSES] == [
        "crane (wading bird)",
        "crane (lifting device)",
        "maillot (tights)",
        "maillot (swimsuit)",
        "Chihuahua",
        "Golden Gate Bridge",
    ]


def test_the_source_names_the_version(excerpt: Taxonomy) -> None:
    assert excerpt.source == "WordNet 3.0"


def test_building_twice_gives_the_same_bytes(excerpt: Taxonomy) -> None:
    assert built(EXCERPT, CLASSES) == dump(excerpt)


def test_the_order_of_the_class_list_does_not_matter(excerpt: Taxonomy) -> None:
    assert built(EXCERPT, CLASSES[::-1]) == dump(excerpt)


def test_what_was_built_can_be_loaded(excerpt: Taxonomy) -> None:
    assert parse(dump(excerpt), file="excerpt.json").nodes == excerpt.nodes


def test_nltk_is_left_as_it_was() -> None:
    import nltk.data

    before = list(nltk.data.path)
    build_taxonomy(EXCERPT, [CHIHUAHUA])
    assert nltk.data.path == before


def test_ids_that_do_not_exist_are_named() -> None:
    with pytest.raises(RefusedError) as raised:
        build_taxonomy(EXCERPT, [CHIHUAHUA, "n00005664", "v00005663", "n99999999", "dog"])
    sentence = str(raised.value)
    assert "WordNet 3.0 has no noun with the id n00005664, v00005663, n99999999, dog." in sentence


def test_of_many_unknown_ids_the_first_ten_are_named() -> None:
    unknown = [f"n000000{number:02d}" for number in range(10, 23)]
    with pytest.raises(RefusedError, match="n00000019 and 3 more"):
        build_taxonomy(EXCERPT, unknown)


def test_an_empty_list_of_classes_is_refused() -> None:
    with pytest.raises(RefusedError, match="list of classes is empty"):
        build_taxonomy(EXCERPT, [])


def test_a_folder_that_is_no_wordnet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match=r"isn't a WordNet database: data\.noun, .* are missing"):
        build_taxonomy(tmp_path, CLASSES)


def test_a_missing_file_of_wordnet_is_named(tmp_path: Path) -> None:
    wordnet = copy_of_excerpt(tmp_path)
    (wordnet / "index.adv").unlink()
    with pytest.raises(RefusedError, match=r"isn't a WordNet database: index\.adv is missing"):
        build_taxonomy(wordnet, CLASSES)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("index.noun", b"dog n 1 2 @ ~ 1 0 ", b"dog n x 2 @ ~ 1 0 "),
        ("index.noun", b"dog n 1 2 @ ~ 1 0 00005209", b"dog n 1 2 @ ~ 1 0"),
        ("data.noun", b"00005209 05 n 03 dog 0", b"00005209 05 n zz dog 0"),
        ("data.noun", b"@ 00005507 n 0000", b"@ 00005508 n 0000"),
    ],
)
def test_a_damaged_wordnet_is_a_sentence(tmp_path: Path, name: str, old: bytes, new: bytes) -> None:
    wordnet = copy_of_excerpt(tmp_path)
    content = (wordnet / name).read_bytes()
    assert old in content
    (wordnet / name).write_bytes(content.replace(old, new))
    with pytest.raises(RefusedError, match=f"The WordNet database in '{wordnet}' is damaged"):
        build_taxonomy(wordnet, CLASSES)


def test_no_warning_reaches_the_person_who_builds() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        build_taxonomy(EXCERPT, CLASSES)
    assert [str(warning.message) for warning in caught] == []


def test_a_class_list_has_a_wnid_at_the_start_of_each_line(tmp_path: Path) -> None:
    file = tmp_path / "classes.txt"
    text = "\ufeff# cranes\nn00004544 crane, the bird\n\nn00006787,crane\n  n00005663\t\n"
    file.write_text(text, encoding="utf-8")
    assert read_wnids(file) == [CRANE_BIRD, CRANE_MACHINE, CHIHUAHUA]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"n00004544\nn4544\n", "classes.txt, line 2: 'n4544' isn't a wnid"),
        (b"n00004544\n\nn00004544\n", "classes.txt, line 3: n00004544 is already on line 1"),
        (b"# nothing\n", "classes.txt: it contains no class"),
        (b"n00004544 gr\xfcn\n", "classes.txt: this isn't UTF-8 text"),
    ],
)
def test_a_mistake_in_a_class_list_is_named(tmp_path: Path, content: bytes, problem: str) -> None:
    file = tmp_path / "classes.txt"
    file.write_bytes(content)
    with pytest.raises(InputError) as raised:
        read_wnids(file)
    assert problem in str(raised.value)


def test_a_class_list_that_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match=r"none\.txt' doesn't exist"):
        read_wnids(tmp_path / "none.txt")
    with pytest.raises(RefusedError, match="can't be read"):
        read_wnids(tmp_path)


def test_an_id_of_the_excerpt_is_the_offset_of_its_line() -> None:
    offset = 0
    for line in (EXCERPT / "data.noun").read_bytes().splitlines(keepends=True):
        assert line.startswith(b"  ") or int(line[:8]) == offset
        offset += len(line)


def test_the_shipped_taxonomy_is_what_the_whole_wordnet_gives() -> None:
    wordnet = Path(os.environ.get("WNSEARCHDIR", "/usr/share/wordnet"))
    if not (wordnet / "data.noun").is_file():
        pytest.skip(f"WordNet isn't installed in {wordnet}: install it or set WNSEARCHDIR")
    wnids = read_wnids(RESOURCES / "imagenet-classes.txt")
    assert built(wordnet, wnids) == DEFAULT_FILE.read_bytes()
