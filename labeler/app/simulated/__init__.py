"""Simulated people, who take part in the finished demo through the same desks as anybody."""
