"""What the keys do on a grid of reference images, wherever it stands."""

from collections.abc import Callable

from labeler.app.keymap import Action
from labeler.ui.classes.reference_grid import DEFAULT_TILE_SIZE, ReferenceGrid
from labeler.ui.window.actions import Handlers


def reference_image_keys(grid: ReferenceGrid, *, leave: Callable[[], object]) -> Handlers:
    """The keys of `Scope.REFERENCES`; leaving puts an enlarged image back first."""
    return {
        Action.ENLARGE: grid.enlarge_or_put_back,
        Action.LEAVE: lambda: grid.put_back() if grid.is_enlarged else leave(),
        Action.NEXT_IMAGE: lambda: grid.step(1),
        Action.PREVIOUS_IMAGE: lambda: grid.step(-1),
        Action.IMAGE_BELOW: lambda: grid.step(grid.columns),
        Action.IMAGE_ABOVE: lambda: grid.step(-grid.columns),
        Action.FIRST_IMAGE: lambda: grid.go_to(0),
        Action.LAST_IMAGE: lambda: grid.go_to(len(grid.tiles) - 1),
    }


def tile_size_keys(grid: ReferenceGrid) -> Handlers:
    """The keys of `Scope.TILES`."""
    return {
        Action.LARGER_TILES: lambda: grid.resize_tiles(1),
        Action.SMALLER_TILES: lambda: grid.resize_tiles(-1),
        Action.USUAL_TILES: lambda: grid.set_tile_size(DEFAULT_TILE_SIZE),
    }
