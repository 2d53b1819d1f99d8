"""`python -m labeler` is `labeler`."""

import sys

from labeler.cli import main

sys.exit(main())
