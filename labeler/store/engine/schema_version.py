"""Which schema this program knows."""

# The newest migration in db/versions; a test compares, so that opening needn't import Alembic.
HEAD = "0012"
