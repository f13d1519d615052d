"""Random mutations of valid files, deterministic for a seed."""

from __future__ import annotations

import io
import random
import zipfile

from campaigns.hostile.cases import Case
from campaigns.hostile.documents import parts_of, sound, zipped

_INSERTED = (b"9" * 12, b"-1", b"<" * 50, b"&amp;", b'"', b"\xff\xff", b"\0", b"../../secret.txt", b"{url}/x", b"1e999",
             b"\xe2\x80\xae", b"]]>", b"<!--", b"{{", b"/" * 300)  # fmt: skip


def mutation(seed: int) -> Case:
    """Return a mutated file; types take turns. Mostly archives stay valid, with one part changed."""
    chance = random.Random(seed)
    endings = list(sound())
    ending = endings[seed % len(endings)]
    content = sound()[ending]
    if zipfile.is_zipfile(io.BytesIO(content)) and chance.random() < 0.8:
        parts = parts_of(content)
        name = chance.choice(list(parts))
        content = zipped({**parts, name: mutated(parts[name], chance)})
    else:
        content = mutated(content, chance)
    return Case(f"seed {seed}", ending, content)


def mutated(content: bytes, chance: random.Random) -> bytes:
    """Change some bytes, or duplicate, drop, move, repeat or replace a stretch."""
    made = bytearray(content)
    for _ in range(chance.randint(1, 6)):
        if not made:
            break
        start = chance.randrange(len(made))
        end = min(len(made), start + chance.randint(1, 200))
        match chance.randrange(7):
            case 0:
                made[start] = chance.randrange(256)
            case 1:
                made[start:end] = made[start:end] * 2
            case 2:
                del made[start:end]
            case 3:
                made[start:end] = bytes(reversed(made[start:end]))
            case 4:
                made[start:end] = made[start:end] * chance.choice([50, 500])
            case 5:
                other = chance.randrange(len(made))
                made[start:end] = made[other : other + (end - start)]
            case _:
                made[start:end] = chance.choice(_INSERTED)
    return bytes(made)
