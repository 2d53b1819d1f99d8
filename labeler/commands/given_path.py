"""How a command takes a file or folder: as it is named, whatever lies there."""

from pathlib import Path

import click

# Whoever opens it tells what is wrong with it: click would call that wrong usage.
given_path = click.Path(path_type=Path, readable=False)
