"""The domain: plain types and pure functions, nothing that touches a screen or a database."""
