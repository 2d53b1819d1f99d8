"""The domain: plain types and pure functions, without user interface or database code."""
