"""Hanabi."""
