"""The keys that work on an image from anywhere on its screen."""

from labeler.app.keymap import Action
from labeler.ui.kit.pictures.image_view import ImageView
from labeler.ui.window.actions import Handlers


def image_view_keys(image: ImageView) -> Handlers:
    """What can be done to see the image better."""
    return {
        Action.FIT_IMAGE: image.fit,
        Action.ACTUAL_SIZE: image.actual_size,
        Action.ZOOM_IN: lambda: image.zoom(1),
        Action.ZOOM_OUT: lambda: image.zoom(-1),
        Action.PAN_LEFT: lambda: image.pan(-1, 0),
        Action.PAN_RIGHT: lambda: image.pan(1, 0),
        Action.PAN_UP: lambda: image.pan(0, -1),
        Action.PAN_DOWN: lambda: image.pan(0, 1),
    }
