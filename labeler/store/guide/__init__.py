"""The guide's pages in the database."""
