"""Racing: which of two agents is better, from as few games as possible, with a bound on the error."""
