"""Tuning: parameters of an agent moved until it plays better, by races and by other optimisers."""
