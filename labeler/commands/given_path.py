"""How a command takes a file or folder: as it is named, whatever lies there."""

from pathlib import Path

import click

# Whoever opens it tells what is wrong with it: click would call that wrong usage.
path_param = click.Path(path_type=Path, readable=False)
