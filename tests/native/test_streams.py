"""Streams: ChaCha8 against published vectors and a slow twin, and nothing that leads from one stream to another."""

from __future__ import annotations

import numpy as np
import pytest

from facedown.arena.follow import Follower
from facedown.arena.lineup import Lineup
from facedown.native.chance import CHANCE, draw, mix, seed_stream
from facedown.native.records import Record, blank
from facedown.native.streams import LANES, LEARNING, MATCHES, fill_streams
from naive.generators import block, stream_words

CASES = [(0, 0, 0), (7, 3, 1), (2**63 - 1, 2**40 + 5, 11)]


def seeded(seed: int, game: int, stream: int, purpose: int = MATCHES) -> Record:
    chance = blank(CHANCE)[0]
    seed_stream(chance, seed, game, stream, purpose)
    return chance


def test_twin_gives_the_published_blocks() -> None:
    # RFC 8439, section 2.3.2 (20 rounds)
    key = [0x03020100, 0x07060504, 0x0B0A0908, 0x0F0E0D0C, 0x13121110, 0x17161514, 0x1B1A1918, 0x1F1E1D1C]
    words = block(20, key, [1, 0x09000000, 0x4A000000, 0])
    assert words[:4] == [0xE4E7F110, 0x15593BD1, 0x1FDD0F50, 0xC47120A3]
    assert words[-4:] == [0xD19C12B5, 0xB94E16DE, 0xE883D0CB, 0x4E3C50A2]
    # draft-strombergson-chacha-test-vectors, TC1, 256 bits, 8 rounds
    zeros = np.array(block(8, [0] * 8, [0] * 4), np.uint32).tobytes().hex()
    assert zeros.startswith("3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e984ce172b9216f41")


@pytest.mark.parametrize(("seed", "game", "stream"), CASES)
@pytest.mark.parametrize("purpose", [MATCHES, LEARNING])
def test_seeding_is_the_documented_function(seed: int, game: int, stream: int, purpose: int) -> None:
    chance = seeded(seed, game, stream, purpose)
    assert (int(chance.s0), int(chance.s1)) == stream_words(seed, purpose, game, stream)


def test_streams_of_many_games_at_once_are_those_of_each() -> None:
    streams = np.zeros((8, LANES), np.uint64)
    fill_streams(5, MATCHES, 1000, 1, LANES, streams)
    for lane in (0, 1, LANES - 1):
        for stream in range(4):
            expected = stream_words(5, MATCHES, 1000 + lane, 4 + stream)
            assert (int(streams[2 * stream, lane]), int(streams[2 * stream + 1, lane])) == expected


# --- what an agent could do with its own stream ---------------------------------------------------------------------------


def unmix(z: int) -> int:
    """The inverse of the finaliser of splitmix64."""
    word = 2**64
    z ^= (z >> 31) ^ (z >> 62)
    z = z * pow(0x94D049BB133111EB, -1, word) % word
    z ^= (z >> 27) ^ (z >> 54)
    z = z * pow(0xBF58476D1CE4E5B9, -1, word) % word
    return z ^ (z >> 30) ^ (z >> 60)


def test_unmix_is_the_inverse_of_mix() -> None:
    for z in (0, 1, 2**63, 0x123456789ABCDEF):
        assert unmix(int(mix(np.uint64(z)))) == z


def test_the_deal_does_not_follow_from_an_agents_stream() -> None:
    """What once worked: one word of the state, or its preimage under the mixing, was the key of the game, and the first words
    of all its streams followed from it.
    """
    golden, word = 0x9E3779B97F4A7C15, 2**64
    n_right = 0
    for game in range(200):
        mine, rules = seeded(1, game, 1), seeded(1, game, 0)
        first = int(draw(seeded(1, game, 0), 52))
        keys = {int(mine.s0), int(mine.s1), int(mine.s1) - 1, unmix(int(mine.s0)), unmix(int(mine.s1))}
        for key in {(candidate - golden * shift) % word for candidate in keys for shift in range(4)}:
            assert int(rules.s0) not in {key, int(mix(np.uint64(key)))}
            guess = blank(CHANCE)[0]
            guess.s0, guess.s1 = mix(np.uint64((key + golden) % word)), key | 1
            n_right += int(draw(guess, 52)) == first
    # 17 keys a game, each right by luck in one of 52: 65 expected, 8 standard deviations
    assert n_right < 135


def test_learning_and_matches_share_no_stream() -> None:
    assert int(seeded(1, 0, 0).s0) != int(seeded(1, 0, 0, LEARNING).s0)


def test_a_seat_has_the_same_stream_in_all_orders_of_a_deal() -> None:
    for game in ("kuhn", "kuhn(players=3)"):
        n_players = 3 if "3" in game else 2
        lineup = Lineup(game, ["uniform"] * n_players)
        for seat in range(n_players):
            states = set()
            for index in range(n_players):
                follower = Follower(lineup, 1, index)
                follower.start()
                chance = follower.players[seat]._chances[0]
                states.add((int(chance.s0), int(chance.s1)))
            assert states == {stream_words(1, MATCHES, 0, 1 + seat)}
