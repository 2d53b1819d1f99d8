"""Adding class names in other languages, which searches find."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from labeler.core.classes.taxonomy import ClassNames, Taxonomy, with_names
from labeler.core.errors import RefusedError
from labeler.core.text import count_noun
from labeler.formats.class_names import read_class_names
from labeler.store.study_store import StudyStore


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageNames:
    """How many classes have a name in a language; `before` counts the names to be replaced."""

    language: str
    classes: int
    before: int = 0

    @property
    def summary(self) -> str:
        return f"{count_noun(self.classes, 'class', 'classes')} in {self.language}"


def name_languages(taxonomy: Taxonomy) -> tuple[LanguageNames, ...]:
    """Return the taxonomy's languages besides English."""
    return tuple(
        LanguageNames(language=one.language, classes=_classes(taxonomy, one))
        for one in taxonomy.names
    )


def preview_names(store: StudyStore, files: Sequence[Path]) -> tuple[LanguageNames, ...]:
    """Return what the files would add in each language; changes nothing."""
    with store.read() as study:
        before = store.taxonomy_in(study)
    return _added_names(before, with_names(before, _read(files)))


def add_names(
    store: StudyStore, files: Sequence[Path], *, replace: bool = False
) -> tuple[LanguageNames, ...]:
    """Add the names from all files, or none.

    Names in a language that is already there are refused, or replaced with `replace`.
    """
    given = _read(files)
    with store.write() as study:
        before = store.taxonomy_in(study)
        after = with_names(before, given)
        brought = _added_names(before, after)
        twice = [one for one in brought if one.before]
        if twice and not replace:
            named = ", ".join(one.language for one in twice)
            raise RefusedError(
                f"The study already has names in {named}.",
                by_command="Use --replace-names to replace them.",
            )
        if after.version != before.version:
            store.put_taxonomy(study, after)
            study.audit.record(
                "names given",
                languages={one.language: one.classes for one in brought},
                taxonomy=after.version,
            )
    store.clear_taxonomy_cache()
    return brought


NO_NAMES_FILE = "Choose a file of names first."


def _read(files: Sequence[Path]) -> list[ClassNames]:
    if not files:
        raise RefusedError(NO_NAMES_FILE)
    return [read_class_names(file) for file in files]


def _added_names(before: Taxonomy, after: Taxonomy) -> tuple[LanguageNames, ...]:
    had = {one.language: _classes(before, one) for one in before.names}
    kept = set(map(id, before.names))
    return tuple(
        LanguageNames(
            language=one.language,
            classes=_classes(after, one),
            before=had.get(one.language, 0),
        )
        for one in after.names
        if id(one) not in kept
    )


def _classes(taxonomy: Taxonomy, names: ClassNames) -> int:
    return sum(map(taxonomy.is_class, names.names))
