"""Whether the long versions of some tests run: `make soak` sets LONG_TESTS, the suite doesn't."""

import os

LONG = bool(os.environ.get("LONG_TESTS"))
# The files that have a long version.
LONG_TEST_FILES = (
    "tests/unit/app/exchange/test_file_import.py",
    "tests/unit/app/guide/test_export.py",
)
