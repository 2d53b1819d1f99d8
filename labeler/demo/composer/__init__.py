"""Composing demo pictures from cut-out photographs."""
