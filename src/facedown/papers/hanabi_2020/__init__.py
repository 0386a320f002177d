"""Jarząbek & Leja 2020: agents for Hanabi."""
