"""Screens of annotators and of the lead for crowd tasks."""
