"""Dialogs: small windows that are opened, read and closed."""
