"""What `isolated` agents and their process say to each other: one question, one answer, in bytes of known length.

At the start each side sends one text, JSON after its length. From then on the process is asked:

    QUESTION   kind, number of legal actions or mover or action played, action heard, the agent's stream; then view, actions,
               memory, public record
    ANSWER     kind, action or length, the stream as it is now; then the memory and the public record, or a text of that length

What an agent keeps travels with every question and comes back changed. So whoever asks owns it, zeroes it, and may play any
number of games at once; the process is given nothing that tells games apart.
"""

from __future__ import annotations

import json
import socket
import struct
import time
from typing import Any

ASK, TELL, EXPLAIN, BEGIN = 1, 2, 3, 4
CHOSEN, HEARD, EXPLAINED, FAILED, NOT_COMPILED = 1, 2, 3, 4, 5

QUESTION = struct.Struct("<BqqQQ")
ANSWER = struct.Struct("<BqQQ")
_LENGTH = struct.Struct("<I")

LONGEST_TEXT = 1 << 20


def receive(channel: socket.socket, count: int, deadline: float | None = None) -> bytearray:
    """Read this many bytes; EOFError where the other side has gone, TimeoutError where they are not here by the deadline."""
    content = bytearray(count)
    room = memoryview(content)
    while room:
        if deadline is not None:
            # anew for each part: whoever sends a byte now and then must not be waited for without end
            channel.settimeout(_left(deadline))
        n_read = channel.recv_into(room)
        if n_read == 0:
            raise EOFError
        room = room[n_read:]
    return content


def send(channel: socket.socket, content: bytes | bytearray, deadline: float | None = None) -> None:
    """All of these bytes, by the deadline."""
    if deadline is not None:
        channel.settimeout(_left(deadline))
    channel.sendall(content)


def _left(deadline: float) -> float:
    rest = deadline - time.monotonic()
    if rest <= 0:
        raise TimeoutError
    return rest


def send_json(channel: socket.socket, content: dict[str, Any], deadline: float | None = None) -> None:
    """One of the two texts of the start."""
    text = json.dumps(content).encode()
    send(channel, _LENGTH.pack(len(text)) + text, deadline)


def receive_json(channel: socket.socket, deadline: float | None = None) -> dict[str, Any]:
    """One of the two texts of the start; ValueError where it is none."""
    (length,) = _LENGTH.unpack(receive(channel, _LENGTH.size, deadline))
    if length > LONGEST_TEXT:
        raise ValueError(f"a text of {length} bytes")
    try:
        content = json.loads(receive(channel, length, deadline))
    except RecursionError:
        raise ValueError("a text without end") from None
    if not isinstance(content, dict):
        raise ValueError("no object")
    return content
