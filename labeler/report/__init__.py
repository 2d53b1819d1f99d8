"""Rendering a report: tables, figures, and the files that hold them. It never sees a database."""
