"""A labeler's evaluation below the screen: everything here works without knowing a target."""
