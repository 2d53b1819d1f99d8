"""The command for the settings of a study."""

from collections.abc import Callable
from pathlib import Path

import click

from labeler.app.classes.translated_names import LanguageNames, add_names, name_languages
from labeler.app.study.setting_definitions import SETTINGS, StudySettings, YesNoSetting
from labeler.app.study.settings import (
    assign_confidence_probabilities,
    assigned_probabilities,
    change_settings,
    compare_datasets,
    compared_datasets,
    remove_lead_passphrase,
    set_backup_folder,
    set_lead_passphrase,
    study_settings,
)
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    path_param,
    print_json,
    study_argument,
)
from labeler.core.folder_access import set_access
from labeler.core.study.entities import CONFIDENCE_LEVELS
from labeler.store.study_store import StudyStore

Shown = bool | int | str | list[str]


def _declared_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for each declared setting, in their order."""
    for setting in reversed(SETTINGS):
        option = setting.option.replace("_", "-")
        if isinstance(setting, YesNoSetting):
            flags, kind = f"--{option}/--no-{option}", None
        else:
            flags, kind = f"--{option}", int
        command = click.option(flags, setting.name, type=kind, default=None, help=setting.help)(
            command
        )
    return command


@click.command()
@study_argument
@_declared_options
@click.option(
    "--lead-passphrase/--no-lead-passphrase",
    "lead_passphrase",
    default=None,
    help="Set a passphrase for the role of lead, which you are asked to type twice; or remove it.",
)
@click.option(
    "--compare",
    nargs=2,
    metavar="ORIGINAL NEW",
    help="The two evaluation datasets that the report compares.  [default: the first two]",
)
@click.option(
    "--confidence-probabilities",
    nargs=CONFIDENCE_LEVELS,
    type=int,
    metavar="P1 P2 P3 P4 P5",
    help="What the steps of confidence mean, in percent. Only before the evaluation opens; the "
    "report then compares them with the accuracies.",
)
@click.option(
    "--backup-folder",
    type=path_param,
    help="A second folder for backups, best on another drive.",
)
@click.option("--no-backup-folder", is_flag=True, help="Make no more backups in a second folder.")
@click.option(
    "--names",
    multiple=True,
    type=path_param,
    help="Names of classes in another language, which the search finds: a tab file of the Open "
    "Multilingual Wordnet, or a CSV file with the columns wnid and name. Can be given several "
    "times.",
)
@click.option(
    "--replace-names",
    is_flag=True,
    help="Replace the names that the study has in the same language.",
)
@click.option(
    "--group",
    metavar="NAME",
    help="Let the members of a group of this computer read and write the study's folder.",
)
@click.option("--no-group", is_flag=True, help="Let only the owner read and write the folder.")
@json_option
def settings(
    *,
    study: Path,
    lead_passphrase: bool | None,
    compare: tuple[str, str] | None,
    confidence_probabilities: tuple[int, ...] | None,
    backup_folder: Path | None,
    no_backup_folder: bool,
    names: tuple[Path, ...],
    replace_names: bool,
    group: str | None,
    no_group: bool,
    as_json: bool,
    **declared: int | None,
) -> None:
    """Show or change the settings of STUDY.

    \b
    labeler settings STUDY
    labeler settings STUDY --ask-confidence --idle-seconds 90
    labeler settings STUDY --lead-passphrase
    labeler settings STUDY --names wn-data-deu.tab
    """
    if group is not None and no_group:
        raise click.UsageError("Give --group or --no-group, not both.")
    options = (*declared.values(), lead_passphrase, compare, group, backup_folder)
    lists = (names, no_group, no_backup_folder, confidence_probabilities)
    writes = any(each is not None for each in options) or any(lists)
    with opened_study(study, writes=writes) as store:
        if writes:
            change_settings(store, **declared)
            _change_passphrase(store, lead_passphrase)
            if compare is not None:
                compare_datasets(store, original=compare[0], new=compare[1])
            if confidence_probabilities is not None:
                assign_confidence_probabilities(store, confidence_probabilities)
            if backup_folder is not None or no_backup_folder:
                set_backup_folder(store, backup_folder)
            if names:
                add_names(store, names, replace=replace_names)
        if group is not None or no_group:
            set_access(store.folder.path, group)
        row = _row(study_settings(store), compared_datasets(store), name_languages(store.taxonomy))
        if assigned := assigned_probabilities(store):
            row["confidence_probabilities"] = [str(percent) for percent in assigned]
    _print_row(row, as_json=as_json)


def _change_passphrase(store: StudyStore, wanted: bool | None) -> None:
    if wanted is True:
        passphrase = click.prompt("Passphrase", hide_input=True, confirmation_prompt=True, err=True)
        set_lead_passphrase(store, passphrase)
    elif wanted is False:
        remove_lead_passphrase(store)


def _row(
    now: StudySettings, compared: tuple[str, str] | None, named: tuple[LanguageNames, ...]
) -> dict[str, Shown]:
    row: dict[str, Shown] = {setting.option: now.value(setting) for setting in SETTINGS}
    row["lead_passphrase"] = now.has_lead_passphrase
    if now.backup_folder:
        row["backup_folder"] = now.backup_folder
    if compared is not None:
        row["compare"] = list(compared)
    if named:
        row["names"] = [one.language for one in named]
    return row


def _print_row(row: dict[str, Shown], *, as_json: bool) -> None:
    if as_json:
        print_json(row)
        return
    for name, value in row.items():
        echo(f"{name:<16} {_format_value(value)}")


def _format_value(value: Shown) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, list) else str(value)
