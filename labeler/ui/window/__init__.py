"""The application: main window, navigation, theme, keys, threads."""
