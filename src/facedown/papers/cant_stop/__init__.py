"""Beating Can't Stop: questions 1 to 8 of a course project."""
