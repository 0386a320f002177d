"""Agents for Can't Stop: those of the source, the rule of 28, and one that solves every turn."""
