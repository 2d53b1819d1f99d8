"""One presenter per screen: what a person means, turned into what the screen shows."""
