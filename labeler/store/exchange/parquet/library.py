"""pyarrow, which is an optional dependency and takes long to load."""

from types import ModuleType

from labeler.core.errors import EnvironmentFault

PARQUET_SUFFIX = ".parquet"
PARQUET_SIGNATURE = b"PAR1"
PYARROW_MISSING = (
    "Parquet files need the package pyarrow, which is not installed. Install it, or use CSV files."
)
INSTALL_COMMAND = "Use `pip install 'labeler[parquet]'`."


def load_pyarrow() -> tuple[ModuleType, ModuleType]:
    """Return the modules pyarrow and pyarrow.parquet, or say how to install them."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise EnvironmentFault(PYARROW_MISSING, by_command=INSTALL_COMMAND) from error
    return pa, pq
