"""Agents for Love Letter."""
