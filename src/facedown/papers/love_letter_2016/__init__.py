"""Malarczyk 2016: algorithms for Love Letter."""
