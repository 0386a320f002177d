"""Counterfactual regret minimisation by sampling, on the rules themselves."""
