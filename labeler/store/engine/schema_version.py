"""Which schema this program knows."""

# The newest migration in db/versions; a test compares, so that opening needn't import Alembic.
SCHEMA_VERSION = "0012"
