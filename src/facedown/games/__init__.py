"""Games: the contract, the rules of each, and which there are. The package can be called: `facedown.games()` lists them."""

import sys

from facedown.games.listing import GamesPackage

sys.modules[__name__].__class__ = GamesPackage
