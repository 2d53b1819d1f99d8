"""Studies over a handful of classes, and folders of exchange files for them."""

import csv
import io
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import func, select

from labeler.core.classes.taxonomy import Taxonomy, TaxonomyNode
from labeler.core.clock import SystemClock
from labeler.core.study.exchange_format import EXCHANGE_FILES
from labeler.store.engine.database import Database, sqlite_url
from labeler.store.exchange.importer import import_exchange
from labeler.store.schema import Base
from labeler.store.study.folder import StudyFolder
from labeler.store.study_store import StudyStore, create_database

CAT, DOG, FOX, OWL = WNIDS = ("n00000001", "n00000002", "n00000003", "n00000004")

# A small study as exchange files, in the very bytes of an export.
SMALL = {
    "datasets": """\
dataset,image,target,path,problematic
original,cats/1.JPEG,n00000001,/pictures/1.JPEG,
original,"a, ""b""
c.png",n00000002,,drawing|target_wrong
new,cats/1.JPEG,n00000003,,
""",
    "participants": """\
participant,kind,description
L1,human,"first, with comma"
resnet,model,
R1,human,
""",
    "predictions": """\
participant,dataset,image,rank,label,score,active_seconds,wall_seconds,shown_at,escape_hatch,\
alternative,confidence,known_image,note,committed_at,revision
L1,original,cats/1.JPEG,1,n00000001,,12.340,15.000,2026-03-01T09:30:00Z,0,,\
4,1,"a ""cat"", or not",2026-03-01T09:30:15.000Z,1
L1,new,cats/1.JPEG,1,n00000002,0.5,0.000,,2026-03-01T09:31:00.123456+00:00,1,n00000002,\
,0,,2026-03-01T09:32:00Z,2
resnet,original,cats/1.JPEG,1,n00000001,0.1,,,,0,,,0,,,1
resnet,original,cats/1.JPEG,3,n00000002,1e-07,,,,0,,,0,,,1
resnet,new,cats/1.JPEG,1,n00000004,,,,,0,,,0,,,1
""",
    "reviews": """\
reviewer,dataset,image,label,verdict,kind,stage,at,origin,step,active_seconds,note,revision
L1,new,cats/1.JPEG,n00000003,unclear,ambiguous,initial,,added,blind,,,1
R1,original,cats/1.JPEG,n00000001,correct,,initial,2026-03-02T08:00:00Z,proposed,blind,1.500,,1
R1,original,cats/1.JPEG,n00000001,wrong,,final,,proposed,discussion,0.250,,2
R1,original,cats/1.JPEG,n00000002,correct,several_objects,initial,2024-02-29T08:00:00Z,\
proposed,blind,,,1
""",
    "multilabels": """\
dataset,image,label,state
original,cats/1.JPEG,n00000001,correct
original,cats/1.JPEG,n00000002,wrong
new,cats/1.JPEG,n00000003,unclear
""",
    "adjudications": """\
by,dataset,image,label,verdict,stage,note,at
R1,original,cats/1.JPEG,n00000002,wrong,final,,2026-03-04T08:00:00Z
,original,cats/1.JPEG,n00000002,correct,final,"after all, yes",2026-03-05T08:00:00Z
""",
    "flags": """\
participant,dataset,image,reason,note,at,withdrawn_at
L1,new,cats/1.JPEG,drawing,,2026-03-02T08:00:00Z,2026-03-03T08:00:00Z
R1,new,cats/1.JPEG,inappropriate,"a note, too",2026-03-02T09:00:00Z,
""",
    "intervals": """\
participant,dataset,image,number,place,started_ms,ended_ms
L1,original,cats/1.JPEG,1,image,0,12340
L1,original,cats/1.JPEG,2,guide,12340,15000
""",
    "repeats": """\
participant,dataset,image,rank,label,score,active_seconds,wall_seconds,shown_at,escape_hatch,\
alternative,confidence,known_image,note,committed_at,revision,asking
L1,original,cats/1.JPEG,1,n00000002,,3.250,4.000,2026-03-01T10:30:00Z,1,n00000004,\
2,1,"seen, I think",2026-03-01T10:30:04.000Z,2,2
L1,new,cats/1.JPEG,1,n00000002,,,,,0,,,0,,,1,3
""",
    "error_reviews": """\
reviewer,dataset,image,label,mistake,category,severity,at
R1,original,cats/1.JPEG,n00000002,yes,fine_grained,major,2026-03-06T08:00:00Z
R1,new,cats/1.JPEG,n00000004,unclear,,,
""",
    "candidates": """\
pool,image,label,path,source,source_id,query,taken_at,uploaded_at,rejected
found,web/1.JPEG,n00000001,/pictures/web/1.JPEG,web,7,"big, cat",2013-01-02,2013-02-03,
found,web/2.JPEG,n00000002,,,,,,,blurry
""",
    "grids": """\
grid,label,position,dataset,image,role
g1,n00000001,1,original,cats/1.JPEG,candidate
g1,n00000001,2,new,cats/1.JPEG,positive
g2,n00000002,1,original,cats/1.JPEG,negative
""",
    "contains_answers": """\
participant,grid,selected,active_seconds,submitted_at,state
L1,g1,1|2,12.500,2026-03-06T08:00:00Z,submitted
L1,g2,,,2026-03-06T08:01:00Z,returned
""",
    "selection_frequencies": """\
dataset,image,label,selected,shown
original,cats/1.JPEG,n00000001,7,9
""",
    "candidate_labels": """\
dataset,image,label,place,reason
original,cats/1.JPEG,n00000001,1,target
original,cats/1.JPEG,n00000002,2,distant
""",
    "classify_answers": """\
participant,dataset,image,labels,main,active_seconds,submitted_at
L1,original,cats/1.JPEG,n00000001|n00000002,n00000002,3.000,2026-03-07T08:00:00Z
R1,original,cats/1.JPEG,,,,2026-03-07T08:00:00Z
""",
    "objects": """\
dataset,image,object,label,ticked,answers,object_label
original,cats/1.JPEG,0,n00000003,1,9,
original,cats/1.JPEG,1,n00000001,7,9,n00000001
""",
    "image_summaries": """\
dataset,image,status,answers,num_objects,confidence,main_label,main_picks,main_object,\
target_object,optimal_partitions,ties
original,cats/1.JPEG,follow_up,9,2,7/9,n00000001,5,1,1,1,main_label|num_objects
new,cats/1.JPEG,clear,0,,,,,,,,
""",
    "built_datasets": """\
dataset,revision,parent,strategy,parameters,seed,made_at,state
built,1,,threshold,"{""classes"": 2, ""per_class"": 1, ""pool"": ""found""}",3,\
2026-03-09T08:00:00Z,complete
built,2,1,top-images,{},4,2026-03-10T08:00:00Z,final
""",
    "built_images": """\
dataset,revision,pool,image,label,bin,from_bin,carried
built,1,found,web/1.JPEG,n00000001,,,0
built,2,found,web/1.JPEG,n00000001,3,4,1
""",
    "class_reviews": """\
dataset,revision,label,reviewed,needs_work,reviewer,at
built,1,n00000001,1,0,R1,2026-03-09T09:00:00Z
""",
    "near_duplicates": """\
dataset_a,image_a,dataset_b,image_b,metric,distance,verdict,reviewer,at
new,cats/1.JPEG,original,cats/1.JPEG,l2,1200.0,duplicate,R1,2026-03-08T08:00:00Z
new,cats/1.JPEG,original,cats/1.JPEG,manual,,unclear,L1,2026-03-08T08:00:00Z
""",
}

NewStudy = Callable[[], StudyStore]
Files = Callable[..., Path]


def as_version_1(name: str, text: str) -> str:
    """Return a file without the columns that version 2 added."""
    (file,) = (each for each in EXCHANGE_FILES if each.name == f"{name}.csv")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    columns = (*file.columns, *file.last)
    writer.writerows([columns, *([row[c] for c in columns] for row in rows)])
    return buffer.getvalue()


def small_taxonomy() -> Taxonomy:
    root = TaxonomyNode("n00000000", ("animal",), "a living thing", (), WNIDS)
    names = zip(WNIDS, ("cat", "dog", "fox", "owl"), strict=True)
    leaves = [TaxonomyNode(wnid, (name,), f"a {name}", (root.wnid,), ()) for wnid, name in names]
    return Taxonomy(source="test", class_wnids=WNIDS, nodes=[root, *leaves])


def open_copy(template: Path, folder: Path) -> StudyStore:
    folder.mkdir()
    place = StudyFolder(folder)
    shutil.copy(template, place.database)
    return StudyStore(place, Database(sqlite_url(place.database)), SystemClock())


def table_counts(store: StudyStore) -> dict[str, int]:
    with store.read() as transaction:
        return {
            table.name: transaction.session.scalar(select(func.count()).select_from(table)) or 0
            for table in Base.metadata.sorted_tables
        }


def file_contents(folder: Path) -> dict[str, bytes]:
    return {file.name: (folder / file.name).read_bytes() for file in EXCHANGE_FILES}


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study's database file, made once: migrations take longer than most tests."""
    file = tmp_path_factory.mktemp("template") / "study.db"
    create_database(
        sqlite_url(file),
        name="small",
        seed=7,
        taxonomy=small_taxonomy(),
        program_version="test",
        clock=SystemClock(),
    )
    return file


@pytest.fixture
def new_study(template: Path, tmp_path: Path) -> Iterator[NewStudy]:
    """Makes empty studies, closed when the test ends."""
    with ExitStack() as stack:
        made: list[StudyStore] = []

        def make() -> StudyStore:
            folder = tmp_path / f"study{len(made)}"
            made.append(stack.enter_context(open_copy(template, folder)))
            return made[-1]

        yield make


@pytest.fixture
def study(new_study: NewStudy) -> StudyStore:
    return new_study()


@pytest.fixture(scope="module")
def untouched(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyStore]:
    """An empty study for many refusals: none of them may change it."""
    with open_copy(template, tmp_path_factory.mktemp("untouched") / "study") as store:
        yield store


@pytest.fixture(scope="module")
def filled(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyStore]:
    """The small study for many refusals: none of them may change it."""
    place = tmp_path_factory.mktemp("filled")
    for name, text in SMALL.items():
        (place / f"{name}.csv").write_text(text, encoding="utf-8")
    with open_copy(template, place / "study") as store:
        import_exchange(store, place)
        yield store


@pytest.fixture
def counts() -> Callable[[StudyStore], dict[str, int]]:
    """Tells how many rows every table has."""
    return table_counts


@pytest.fixture
def contents() -> Callable[[Path], dict[str, bytes]]:
    """Reads the exchange files of a folder as they lie there."""
    return file_contents


@pytest.fixture
def small() -> dict[str, str]:
    """The texts of a small study's files, by name."""
    return dict(SMALL)


@pytest.fixture
def old_small() -> dict[str, str]:
    """The same study as files of version 1."""
    return {name: as_version_1(name, text) for name, text in SMALL.items()}


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Writes exchange files into a new folder: `files(datasets="header\\nrow\\n", …)`."""
    made: list[Path] = []

    def write(**texts: str | bytes) -> Path:
        folder = tmp_path / f"files{len(made)}"
        folder.mkdir()
        made.append(folder)
        for name, text in texts.items():
            data = text if isinstance(text, bytes) else text.encode()
            (folder / f"{name}.csv").write_bytes(data)
        return folder

    return write
