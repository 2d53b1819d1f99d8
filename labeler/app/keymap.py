"""The keymap: which keys do what and where, read from data and checked before a window opens."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from labeler.app.key_names import Key, UnreadableKey, parse_key
from labeler.core.errors import InputError, Refused
from labeler.locations import RESOURCES

DEFAULT_FILE = RESOURCES / "keymap.toml"


class Scope(StrEnum):
    """Where on the screen a group of keys works."""

    WINDOW = "window"
    EVALUATE = "evaluate"
    TRAIN = "train"
    TRAINING_START = "training_start"
    OPEN_TRAINING = "open_training"
    TRAINING_SUMMARY = "training_summary"
    RECENT = "recent"
    VIEW = "view"
    LOOKING = "looking"
    CLASSES = "classes"
    TAXONOMY = "taxonomy"
    IMAGE = "image"
    REFERENCES = "references"
    NEIGHBOURHOOD = "neighbourhood"
    COMPARISON = "comparison"
    GUIDE = "guide"
    TILES = "tiles"
    GUIDE_PAGES = "guide_pages"
    GUIDE_EDITOR = "guide_editor"
    GUIDE_VERSIONS = "guide_versions"
    GUIDE_MERGE = "guide_merge"
    LOOKING_BACK = "looking_back"
    PROGRESS = "progress"
    PLOT = "plot"
    FIGURES = "figures"
    DISCUSSION = "discussion"
    REVIEW = "review"
    REVIEW_LABELS = "review_labels"
    REVIEW_GRID = "review_grid"
    SETTLING = "settling"
    REVIEWERS = "reviewers"
    MODELS = "models"
    ADD_MODELS = "add_models"
    RESULTS = "results"
    RESULTS_FIGURE = "results_figure"
    RESULTS_IMAGES = "results_images"
    SET_UP = "set_up"


class Action(StrEnum):
    """Everything that a key can do."""

    SHOW_KEYS = "show_keys"
    GO_HOME = "go_home"
    SHOW_SETTINGS = "show_settings"
    NEXT_THEME = "next_theme"
    SHOW_ABOUT = "show_about"
    QUIT = "quit"
    SUBMIT = "submit"
    ESCAPE_HATCH = "escape_hatch"
    EDIT_NOTE = "edit_note"
    KNOW_IMAGE = "know_image"
    MARK_TRIAL = "mark_trial"
    FLAG_IMAGE = "flag_image"
    PREVIOUS_TRIAL = "previous_trial"
    NEXT_TRIAL = "next_trial"
    PAUSE = "pause"
    TOGGLE_CLOCK = "toggle_clock"
    CONFIDENCE_1 = "confidence_1"
    CONFIDENCE_2 = "confidence_2"
    CONFIDENCE_3 = "confidence_3"
    CONFIDENCE_4 = "confidence_4"
    CONFIDENCE_5 = "confidence_5"
    WRITE_DOWN = "write_down"
    END_TRAINING = "end_training"
    BEGIN_TRAINING = "begin_training"
    SUGGESTED_1 = "suggested_1"
    SUGGESTED_2 = "suggested_2"
    SUGGESTED_3 = "suggested_3"
    TRAIN_ON_EVERYTHING = "train_on_everything"
    TRAIN_ON_BRANCHES = "train_on_branches"
    TRAIN_ON_FAMILY = "train_on_family"
    TRAIN_ON_MISTAKES = "train_on_mistakes"
    TRAIN_ON_LOOK_ALIKES = "train_on_look_alikes"
    TRAIN_ON_DUE = "train_on_due"
    GO_ON_TRAINING = "go_on_training"
    REPLACE_TRAINING = "replace_training"
    OTHER_TRAINING = "other_training"
    RECENT_1 = "recent_1"
    RECENT_2 = "recent_2"
    RECENT_3 = "recent_3"
    RECENT_4 = "recent_4"
    RECENT_5 = "recent_5"
    RECENT_6 = "recent_6"
    RECENT_7 = "recent_7"
    RECENT_8 = "recent_8"
    RECENT_9 = "recent_9"
    FIT_IMAGE = "fit_image"
    ACTUAL_SIZE = "actual_size"
    ZOOM_IN = "zoom_in"
    ZOOM_OUT = "zoom_out"
    PAN_LEFT = "pan_left"
    PAN_RIGHT = "pan_right"
    PAN_UP = "pan_up"
    PAN_DOWN = "pan_down"
    FIND_CLASS = "find_class"
    BACK = "back"
    NEXT_SIBLING = "next_sibling"
    PREVIOUS_SIBLING = "previous_sibling"
    TO_REFERENCES = "to_references"
    TO_TAXONOMY = "to_taxonomy"
    SHOW_NEIGHBOURHOOD = "show_neighbourhood"
    SHORTLIST = "shortlist"
    CLEAR_SHORTLIST = "clear_shortlist"
    COMPARE = "compare"
    SHOW_GUIDE = "show_guide"
    CHOOSE_CLASS = "choose_class"
    NEXT_CLASS = "next_class"
    PREVIOUS_CLASS = "previous_class"
    NEXT_PAGE = "next_page"
    PREVIOUS_PAGE = "previous_page"
    CLEAR_SEARCH = "clear_search"
    CHOOSE_IN_TAXONOMY = "choose_in_taxonomy"
    LEAVE_TAXONOMY = "leave_taxonomy"
    IMAGE_LARGER = "image_larger"
    IMAGE_SMALLER = "image_smaller"
    IMAGE_FIT = "image_fit"
    IMAGE_ACTUAL = "image_actual"
    IMAGE_LEFT = "image_left"
    IMAGE_RIGHT = "image_right"
    IMAGE_UP = "image_up"
    IMAGE_DOWN = "image_down"
    LEAVE_IMAGE = "leave_image"
    ENLARGE = "enlarge"
    LEAVE = "leave"
    NEXT_IMAGE = "next_image"
    PREVIOUS_IMAGE = "previous_image"
    IMAGE_BELOW = "image_below"
    IMAGE_ABOVE = "image_above"
    FIRST_IMAGE = "first_image"
    LAST_IMAGE = "last_image"
    NEIGHBOUR_RIGHT = "neighbour_right"
    NEIGHBOUR_LEFT = "neighbour_left"
    NEIGHBOUR_BELOW = "neighbour_below"
    NEIGHBOUR_ABOVE = "neighbour_above"
    WALK = "walk"
    LEAVE_NEIGHBOURHOOD = "leave_neighbourhood"
    NEXT_COLUMN = "next_column"
    PREVIOUS_COLUMN = "previous_column"
    SCROLL_DOWN = "scroll_down"
    SCROLL_UP = "scroll_up"
    CHOOSE_COLUMN = "choose_column"
    DROP_COLUMN = "drop_column"
    LEAVE_COMPARISON = "leave_comparison"
    SEARCH_GUIDE = "search_guide"
    GUIDE_BACK = "guide_back"
    GUIDE_FORWARD = "guide_forward"
    LEAVE_GUIDE = "leave_guide"
    LARGER_TILES = "larger_tiles"
    SMALLER_TILES = "smaller_tiles"
    USUAL_TILES = "usual_tiles"
    EDIT_PAGE = "edit_page"
    NEW_PAGE = "new_page"
    SHOW_VERSIONS = "show_versions"
    SAVE_PAGE = "save_page"
    FIND_IN_PAGE = "find_in_page"
    INSERT_LINK = "insert_link"
    INSERT_PICTURE = "insert_picture"
    INSERT_FILE = "insert_file"
    INSERT_ROW = "insert_row"
    DISCARD_DRAFT = "discard_draft"
    RETIRE_PAGE = "retire_page"
    LEAVE_EDITOR = "leave_editor"
    RESTORE_VERSION = "restore_version"
    LEAVE_VERSIONS = "leave_versions"
    SHOW_CHANGES = "show_changes"
    SHOW_VERSION = "show_version"
    TAKE_MINE = "take_mine"
    TAKE_THEIRS = "take_theirs"
    TAKE_BOTH = "take_both"
    NEXT_CONFLICT = "next_conflict"
    PREVIOUS_CONFLICT = "previous_conflict"
    TAKE_MERGED = "take_merged"
    LEAVE_MERGE = "leave_merge"
    SHOW_PROGRESS = "show_progress"
    SHOW_DISCUSSION = "show_discussion"
    SHOW_DAYS = "show_days"
    SHOW_SESSIONS = "show_sessions"
    SHOW_FAMILIES = "show_families"
    SHOW_PAIRS = "show_pairs"
    SHOW_CLASSES = "show_classes"
    TRAIN_FIRST = "train_first"
    TRAIN_SECOND = "train_second"
    TRAIN_THIRD = "train_third"
    NEXT_POINT = "next_point"
    PREVIOUS_POINT = "previous_point"
    FIRST_POINT = "first_point"
    LAST_POINT = "last_point"
    OPEN_POINT = "open_point"
    OPEN_FIGURE = "open_figure"
    ORDER_FIGURES = "order_figures"
    NEXT_DISCUSSED = "next_discussed"
    PREVIOUS_DISCUSSED = "previous_discussed"
    WRITE_NOTE = "write_note"
    ADD_NOTE = "add_note"
    JUDGE_CORRECT = "judge_correct"
    JUDGE_WRONG = "judge_wrong"
    JUDGE_UNCLEAR = "judge_unclear"
    JUDGE_SEVERAL = "judge_several"
    JUDGE_SYNONYM = "judge_synonym"
    JUDGE_AMBIGUOUS = "judge_ambiguous"
    UNDO_VERDICT = "undo_verdict"
    PREVIOUS_VISIT = "previous_visit"
    NEXT_VISIT = "next_visit"
    PAUSE_REVIEW = "pause_review"
    OTHER_WAY = "other_way"
    NEXT_LABEL = "next_label"
    PREVIOUS_LABEL = "previous_label"
    ADD_LABEL = "add_label"
    ACCEPT_PROPOSAL = "accept_proposal"
    FLAG_PROBLEM = "flag_problem"
    NOTHING_WRONG = "nothing_wrong"
    ENLARGE_TILE = "enlarge_tile"
    CLASS_DONE = "class_done"
    KEEP_VERDICT = "keep_verdict"
    SHOW_REVIEWERS = "show_reviewers"
    RESOLVE_VERDICTS = "resolve_verdicts"
    SHOW_MODELS = "show_models"
    MODEL_DEED = "model_deed"
    START_MODELS = "start_models"
    ADD_MODEL = "add_model"
    ADD_TESTBED = "add_testbed"
    SCORE_HOW = "score_how"
    REMOVE_MODEL = "remove_model"
    FIND_MODEL = "find_model"
    READ_PUBLISHED = "read_published"
    BROWSE_CHECKPOINT = "browse_checkpoint"
    BROWSE_CLASSES = "browse_classes"
    ADD_CHOSEN = "add_chosen"
    SHOW_LOG = "show_log"
    SHOW_RESULTS = "show_results"
    NEXT_RESULT = "next_result"
    PREVIOUS_RESULT = "previous_result"
    TO_CHOICES = "to_choices"
    TO_RESULT = "to_result"
    TO_IMAGES = "to_images"
    CLOSE_IMAGES = "close_images"
    ADD_SUBSET = "add_subset"
    EXPORT_RESULTS = "export_results"
    EXPORT_IMAGES = "export_images"
    WHOLE_REPORT = "whole_report"
    FIGURE_LARGER = "figure_larger"
    FIGURE_SMALLER = "figure_smaller"
    FIGURE_WHOLE = "figure_whole"
    FIGURE_LEFT = "figure_left"
    FIGURE_RIGHT = "figure_right"
    FIGURE_UP = "figure_up"
    FIGURE_DOWN = "figure_down"
    NEXT_MARK = "next_mark"
    PREVIOUS_MARK = "previous_mark"
    OPEN_MARK = "open_mark"
    ENLARGE_BEHIND = "enlarge_behind"
    SHOW_SET_UP = "show_set_up"


# Two scopes that can be in force at the same time may not share a key.
WITH_CLASSES = frozenset(
    {
        Scope.WINDOW,
        Scope.EVALUATE,
        Scope.TRAIN,
        Scope.RECENT,
        Scope.VIEW,
        Scope.LOOKING,
        Scope.TILES,
    }
)
# Screens without the tools for classes, where more keys are free.
_ON_OTHER_SCREENS = (
    frozenset({Scope.WINDOW, Scope.TRAINING_START, Scope.LOOKING_BACK}),
    frozenset({Scope.WINDOW, Scope.OPEN_TRAINING}),
    frozenset({Scope.WINDOW, Scope.GUIDE_PAGES, Scope.GUIDE}),
    frozenset({Scope.WINDOW, Scope.GUIDE_EDITOR}),
    frozenset({Scope.WINDOW, Scope.GUIDE_VERSIONS}),
    frozenset({Scope.WINDOW, Scope.GUIDE_MERGE}),
    frozenset({Scope.WINDOW, Scope.TRAINING_SUMMARY, Scope.LOOKING_BACK}),
    frozenset({Scope.WINDOW, Scope.LOOKING_BACK, Scope.PROGRESS, Scope.PLOT}),
    frozenset({Scope.WINDOW, Scope.LOOKING_BACK, Scope.PROGRESS, Scope.FIGURES}),
    frozenset({Scope.WINDOW, Scope.LOOKING_BACK, Scope.DISCUSSION, Scope.GUIDE}),
    frozenset({Scope.WINDOW, Scope.REVIEWERS, Scope.FIGURES}),
    frozenset({Scope.WINDOW, Scope.MODELS}),
    frozenset({Scope.WINDOW, Scope.ADD_MODELS}),
    frozenset({Scope.WINDOW, Scope.RESULTS, Scope.FIGURES}),
    frozenset({Scope.WINDOW, Scope.RESULTS, Scope.RESULTS_FIGURE}),
    frozenset({Scope.WINDOW, Scope.RESULTS, Scope.RESULTS_IMAGES}),
    frozenset({Scope.WINDOW, Scope.SET_UP}),
)
_APART = frozenset().union(*_ON_OTHER_SCREENS) - {Scope.GUIDE}
_PLACES = set(Scope) - WITH_CLASSES - _APART - {Scope.REVIEW}
# Nobody answers while they review, and then the image takes no keys.
_AT_REVIEW = (WITH_CLASSES - {Scope.EVALUATE, Scope.TRAIN, Scope.RECENT}) | {Scope.REVIEW}
IN_FORCE_TOGETHER = (
    *(WITH_CLASSES | {place} for place in _PLACES),
    *(_AT_REVIEW | {place} for place in _PLACES - {Scope.IMAGE}),
    *_ON_OTHER_SCREENS,
)
assert frozenset().union(*IN_FORCE_TOGETHER) == set(Scope), "every scope is in force somewhere"


@dataclass(frozen=True, slots=True)
class Binding:
    """An action with its title and its keys, the first of which is the one to show."""

    action: Action
    scope: Scope
    title: str
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Keymap:
    """All bindings, in the order in which a cheat-sheet lists them."""

    scope_titles: Mapping[Scope, str]
    bindings: tuple[Binding, ...]

    def __getitem__(self, action: Action) -> Binding:
        return next(binding for binding in self.bindings if binding.action is action)

    def of(self, scope: Scope) -> tuple[Binding, ...]:
        return tuple(binding for binding in self.bindings if binding.scope is scope)


def load_keymap(file: Path = DEFAULT_FILE) -> Keymap:
    """Read and check a keymap; a fault in it is an error that says what to mend."""
    try:
        return parse_keymap(file.read_text(encoding="utf-8"), file=file)
    except OSError as error:
        raise Refused(f"The keymap '{file}' can't be read: {error.strerror}.") from error


def parse_keymap(text: str, *, file: Path | str) -> Keymap:
    """The keymap in a TOML text; `file` is only named in errors."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"This is no TOML: {error}.", file=file) from error
    try:
        keymap = _keymap(document)
        _check_complete(keymap)
        _check_clashes(keymap)
    except _Fault as fault:
        raise InputError(str(fault), file=file) from fault
    return keymap


class _Fault(Exception):
    """What is wrong with a keymap, before the file's name is put in front of it."""


def _keymap(document: Mapping[str, Any]) -> Keymap:
    scopes = {_scope(name): entry for name, entry in document.items()}
    titles = {scope: _text(entry, "title", where=scope) for scope, entry in scopes.items()}
    bindings = [b for scope, entry in scopes.items() for b in _bindings(scope, entry)]
    return Keymap(scope_titles=MappingProxyType(titles), bindings=tuple(bindings))


def _scope(name: str) -> Scope:
    try:
        return Scope(name)
    except ValueError:
        raise _Fault(f"There is no scope “{name}”; the scopes are {', '.join(Scope)}.") from None


def _bindings(scope: Scope, entry: Mapping[str, Any]) -> Iterator[Binding]:
    actions = entry.get("actions")
    if not isinstance(actions, dict):
        raise _Fault(f"The scope “{scope}” needs a table “{scope}.actions”.")
    for name, binding in actions.items():
        try:
            action = Action(name)
        except ValueError:
            raise _Fault(f"“{scope}.{name}” is no action of this program.") from None
        yield Binding(
            action=action,
            scope=scope,
            title=_text(binding, "title", where=name),
            keys=_keys(binding, where=name),
        )


def _text(entry: object, field: str, *, where: str) -> str:
    value = entry.get(field) if isinstance(entry, dict) else None
    if not isinstance(value, str) or not value.strip():
        raise _Fault(f"“{where}” needs a {field}.")
    return value


def _keys(entry: Mapping[str, Any], *, where: str) -> tuple[Key, ...]:
    written = entry.get("keys")
    if not isinstance(written, list) or not written:
        raise _Fault(f"“{where}” needs a list of keys with at least one in it.")
    try:
        return tuple(parse_key(str(text)) for text in written)
    except UnreadableKey as error:
        raise _Fault(f"“{where}” has a key that can't be read: {error}") from error


def _check_complete(keymap: Keymap) -> None:
    bound = [binding.action for binding in keymap.bindings]
    missing = [action for action in Action if action not in bound]
    if missing:
        raise _Fault(f"“{missing[0]}” has no keys.")
    twice = next((action for action in bound if bound.count(action) > 1), None)
    if twice is not None:
        raise _Fault(f"“{twice}” stands in two scopes; it may stand in one.")


def _check_clashes(keymap: Keymap) -> None:
    for scopes in IN_FORCE_TOGETHER:
        taken: dict[Key, Action] = {}
        for binding in keymap.bindings:
            for key in binding.keys if binding.scope in scopes else ():
                if key in taken:
                    raise _Fault(
                        f"The key {key} stands for both “{taken[key]}” and “{binding.action}”; "
                        "give one of them another."
                    )
                taken[key] = binding.action
