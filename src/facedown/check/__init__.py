"""The conformance suite: does a game keep every promise of the contract?"""

from facedown.check.report import Check, Report
from facedown.check.suite import game

__all__ = ["Check", "Report", "game"]
