"""Small games in Gambit's extensive form, written by hand."""

from __future__ import annotations

# a chance node that pays an ante, decimal and rational numbers, a set and an outcome that are only named the second time
BLUFF = """EFG 2 R "A bluff with an ante" { "Alice" "Bob" }
"one card, one bet"

c "" 1 "deal" { "high" 1/2 "low" 0.5 } 1 "ante" { 1, -1 }
p "" 1 1 "high card" { "bet" "fold" } 0
p "" 2 1 "a bet" { "call" "pass" } 0
t "" 2 "win" { 2 -2 }
t "" 3 "steal" { 0.5, -1/2 }
t "" 4 "give up" { -1 1 }
p "" 1 2 "low card" { "bet" "fold" } 0
p "" 2 1 0
t "" 5 "lose" { -2 2 }
t "" 3
t "" 4
"""

# player 1 moves twice in one information set and cannot remember: an absent-minded driver with a passenger
FORGETFUL = """EFG 2 R "The absent-minded driver" { "driver" "passenger" }
p "" 1 1 "a crossing" { "on" "off" } 0
p "" 1 1 "a crossing" { "on" "off" } 0
p "" 2 1 "the end of the road" { "wait" "walk" } 0
t "" 1 "" { 1 0 }
t "" 2 "" { 1 1/3 }
t "" 3 "" { 4 0 }
t "" 4 "" { 0 0 }
"""

# both choose at the same time: the second player cannot tell the three nodes of the one information set apart
SIGNS = """EFG 2 R "Rock, paper, scissors" { "Alice" "Bob" }
p "" 1 1 "first" { "rock" "paper" "scissors" } 0
p "" 2 1 "second" { "rock" "paper" "scissors" } 0
t "" 1 "" { 0 0 }
t "" 2 "" { -1 1 }
t "" 3 "" { 1 -1 }
p "" 2 1 0
t "" 3
t "" 1
t "" 2
p "" 2 1 0
t "" 2
t "" 3
t "" 1
"""


def chain(n_moves: int) -> str:
    """Two players in turn stop or go on: a tree as deep as it can be."""
    lines = ['EFG 2 R "centipede" { "odd" "even" }']
    for move in range(n_moves):
        lines.append(f'p "" {move % 2 + 1} {move // 2 + 1} "" {{ "stop" "go on" }} 0')
        lines.append(f't "" {move + 1} "" {{ {move}, {-move} }}')
    lines.append(f't "" {n_moves + 1} "" {{ 0 0 }}')
    return "\n".join(lines)
