"""Jakóbczyk 2023: racing algorithms and coevolution."""
