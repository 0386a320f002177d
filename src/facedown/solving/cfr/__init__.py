"""Counterfactual regret minimisation on whole trees."""
