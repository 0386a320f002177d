"""Agents for any game."""
