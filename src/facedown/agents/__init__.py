"""Players: the contract, those for any game and of one game. The package can be called: `facedown.agents(game)` lists them."""

import sys

from facedown.agents.listing import AgentsPackage

sys.modules[__name__].__class__ = AgentsPackage
