"""Render a report: tables, figures and files. No access to the database."""
