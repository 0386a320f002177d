"""Domino with few tiles."""
