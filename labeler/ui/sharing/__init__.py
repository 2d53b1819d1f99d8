"""Screens for bundles: opening one, saving results, and the lead's merge."""
