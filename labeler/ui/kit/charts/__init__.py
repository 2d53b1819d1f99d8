"""Progress bars and other small charts."""
