"""Human-versus-machine image classification studies, from folders of images to the report."""

__version__ = "0.1.0"
