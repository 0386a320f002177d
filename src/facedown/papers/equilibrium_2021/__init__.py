"""Sychev 2021: regret minimisation on Kuhn poker and dominoes."""
