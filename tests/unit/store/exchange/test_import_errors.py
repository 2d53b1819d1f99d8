"""Whatever is wrong with an exchange file is reported with its place, and nothing is imported."""

import csv
from pathlib import Path

import pytest

from labeler.core.errors import InputError
from labeler.core.study.entities import DatasetRole
from labeler.store.datasets.datasets import DatasetDefinition
from labeler.store.exchange.importer import import_exchange

STATE = "original,cats/1.JPEG,n00000001,correct"

HEADERS = [
    (
        "dataset,image,label,state,colour,size",
        "column colour: the columns 'colour', 'size' are unknown.",
    ),
    ("dataset,image,label", "column state: the column 'state' is missing."),
    ("dataset,image,label,state,label", "column label: the column 'label' is repeated."),
]
LINES = [
    (
        "original,cats/1.JPEG",
        "line 2, column label: there are 2 values where the header has 4 columns.",
    ),
    (f"{STATE},more", "line 2, column 5: there are 5 values where the header has 4 columns."),
    (f"\n{STATE}", "line 2, column dataset: the line is empty where the header has 4 columns."),
    (f'"{STATE}', "line 2, column dataset: a quote opens here and is never closed."),
    (
        f'{STATE}\noriginal,"a, ""b"" and\nc",n00000001,"correct',
        "line 3, column state: a quote opens here and is never closed.",
    ),
    (
        'original,"cats"/1.JPEG,n00000001,correct',
        "line 2, column image: text follows a closing quote; a quote inside a value must be "
        "doubled.",
    ),
    (
        f"{STATE}\noriginal,a\0b,n00000002,wrong",
        "line 3, column image: 'a\\x00b' contains a NUL character.",
    ),
    (
        f"{STATE}\noriginal,{'x' * 140_000},n00000002,wrong",
        "line 3, column image: a value is too long; maybe a quote is never closed.",
    ),
]


def cases(name: str) -> list[dict[str, str]]:
    """What to change on a line of a right file, and what is to be reported then."""
    with Path(__file__).with_name(name).open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def changed(texts: dict[str, str], case: dict[str, str]) -> dict[str, str]:
    """The files' texts after the change that a case describes."""
    lines = texts[case["file"]].split("\n")
    place = int(case["line"]) - 1
    assert case["old"] in lines[place]
    lines[place] = lines[place].replace(case["old"], case["new"], 1)
    return texts | {case["file"]: "\n".join(lines)}


def refusal(study, folder) -> str:
    with pytest.raises(InputError) as caught:
        import_exchange(study, folder)
    return str(caught.value)


@pytest.mark.parametrize(("header", "message"), HEADERS)
def test_a_wrong_header_is_told(untouched, files, small, header, message):
    folder = files(**small | {"multilabels": f"{header}\n"})
    hint = "The header is dataset,image,label,state."
    assert refusal(untouched, folder) == f"multilabels.csv, line 1, {message} {hint}"


@pytest.mark.parametrize(("line", "message"), LINES)
def test_a_line_that_is_no_csv_is_told(untouched, files, small, line, message):
    text = small["multilabels"].replace(STATE, line)
    result = refusal(untouched, files(**small | {"multilabels": text}))
    assert result == f"multilabels.csv, {message}"


@pytest.mark.parametrize("case", cases("bad-values.csv"))
def test_a_bad_value_is_told_and_nothing_imported(untouched, files, small, counts, case):
    before = counts(untouched)
    message = refusal(untouched, files(**changed(small, case)))
    place = f"{case['file']}.csv, line {case['line']}, column {case['column']}"
    assert message.startswith(f"{place}: ")
    assert case["problem"] in message
    assert counts(untouched) == before
    assert before["image"] == 0


@pytest.mark.parametrize("case", cases("differences.csv"))
def test_a_row_that_contradicts_the_study_is_told(filled, files, small, counts, case):
    before = counts(filled)
    file = case["file"]
    message = refusal(filled, files(**{file: changed(small, case)[file]}))
    place = f"{file}.csv, line {case['line']}, column {case['column']}"
    problem = f"the file says '{case['given']}', but the study has '{case['stored']}'."
    assert message == f"{place}: {problem}"
    assert counts(filled) == before


@pytest.mark.parametrize(
    "repeated",
    [
        ("datasets", 4, "dataset and image are together"),
        ("participants", 3, "participant is"),
        ("predictions", 1, "participant, dataset, image, rank and revision are together"),
        ("predictions", 4, "participant, dataset, image, rank and revision are together"),
        ("reviews", 2, "reviewer, dataset, image, label, stage and revision are together"),
        ("multilabels", 3, "dataset, image and label are together"),
    ],
)
@pytest.mark.parametrize("known", ["untouched", "filled"])
def test_a_row_that_stands_twice_is_told(request, files, small, repeated, known):
    """Whether the study has the row already or not."""
    file, row, key = repeated
    study = request.getfixturevalue(known)
    lines = small[file].splitlines()
    small[file] += f"{lines[row]}\n"
    message = refusal(study, files(**small))
    assert message.startswith(f"{file}.csv, line {len(lines) + 1}, column ")
    assert f": {key} the same as on line {row + 1};" in message


def test_bytes_that_are_no_utf8_are_told(study, files, small):
    data = small["multilabels"].encode() + b"original,caf\xe9,n00000001,wrong\n"
    message = refusal(study, files(**small | {"multilabels": data}))
    assert message == "multilabels.csv, line 5, column image: 'caf\\udce9' is not UTF-8."


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_in_utf16_is_told_as_that_and_not_by_columns_nobody_wrote(
    study, files, small, encoding
):
    message = refusal(
        study, files(**small | {"multilabels": small["multilabels"].encode(encoding)})
    )
    assert message == (
        "multilabels.csv, line 1, column 1: this is not UTF-8 text. Save the file as UTF-8."
    )


def test_a_quote_that_breaks_the_header_is_told_with_the_number_of_its_column(study, files):
    message = refusal(study, files(multilabels='dataset,"image,label,state\n'))
    assert message == "multilabels.csv, line 1, column 2: a quote opens here and is never closed."


def test_an_empty_file_lacks_its_header(study, files):
    message = refusal(study, files(multilabels=""))
    assert message == (
        "multilabels.csv, line 1, column dataset: the columns 'dataset', 'image', 'label', "
        "'state' are missing. The header is dataset,image,label,state."
    )


def test_a_row_is_told_by_its_first_line(study, files, small):
    text = small["datasets"] + 'new,"two\nlines",n9,,\n'
    message = refusal(study, files(datasets=text))
    assert message == "datasets.csv, line 6, column target: 'n9' is not a class of the study."


def test_a_models_name_is_refused(study, files):
    text = "participant,kind,description,name\nresnet,model,,Ann\n"
    message = refusal(study, files(participants=text))
    assert message == (
        "participants.csv, line 2, column name: 'Ann' is a person's name, but this is a model."
    )


def test_a_name_that_contradicts_the_study_is_told(study, files):
    header = "participant,kind,description,name\n"
    import_exchange(study, files(participants=f"{header}L1,human,,Ann\n"))
    message = refusal(study, files(participants=f"{header}L1,human,,Bea\n"))
    assert message == (
        "participants.csv, line 2, column name: the file says 'Bea', but the study has 'Ann'."
    )


@pytest.mark.parametrize(
    ("role", "complete", "problem"),
    [
        (
            DatasetRole.TRAINING,
            True,
            "'original' is a training dataset of the study, not an evaluation dataset.",
        ),
        (
            DatasetRole.EVALUATION,
            False,
            "adding images to 'original' was interrupted; finish it first.",
        ),
    ],
)
def test_a_dataset_of_another_kind_is_told(study, files, role, complete, problem):
    with study.write() as transaction:
        transaction.datasets.add(DatasetDefinition(name="original", role=role), complete=complete)
    text = "dataset,image,target,path,problematic\noriginal,x,n00000001,,\n"
    message = refusal(study, files(datasets=text))
    assert message == f"datasets.csv, line 2, column dataset: {problem}"


def test_an_error_far_into_a_long_file_names_its_line(study, files, small):
    import_exchange(study, files(datasets=small["datasets"], participants=small["participants"]))
    images = "".join(f"new,{n},n00000001,,\n" for n in range(9000))
    import_exchange(study, files(datasets=small["datasets"].splitlines()[0] + "\n" + images))
    header = small["multilabels"].splitlines()[0]
    rows = "".join(f"new,{n},n00000001,wrong\n" for n in range(9000))
    message = refusal(study, files(multilabels=f"{header}\n{rows}new,8999,n00000002,bad\n"))
    assert message.startswith("multilabels.csv, line 9002, column state: 'bad' is not one of")
    message = refusal(study, files(multilabels=f"{header}\n{rows}new,5,n00000001,wrong\n"))
    assert message.startswith("multilabels.csv, line 9002, column label: dataset, image and label")
    assert "as on line 7;" in message


@pytest.mark.parametrize("known", ["untouched", "filled"])
def test_of_several_rows_that_stand_twice_the_first_is_told(request, files, small, known):
    header, *rows = small["multilabels"].splitlines()
    small["multilabels"] = "\n".join([header, *rows, rows[2], rows[0], rows[2], ""])
    message = refusal(request.getfixturevalue(known), files(**small))
    assert message.startswith("multilabels.csv, line 5, column label: ")
    assert " as on line 4;" in message


def test_of_several_contradictions_the_first_is_told(filled, files, small):
    wrong = small["multilabels"].replace("wrong", "unclear").replace("correct", "wrong")
    assert refusal(filled, files(multilabels=wrong)).startswith("multilabels.csv, line 2,")
