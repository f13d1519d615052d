"""Minimal writer of Microsoft's compound file format with a few streams, for .xls and .msg files."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

SECTOR, SMALL_SECTOR, SMALL = 512, 64, 4096
_FREE, _END, _FAT, _NONE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF


def compound_file(streams: Mapping[str, bytes]) -> bytes:
    """Return a container with these streams in its root; small ones share the mini stream, as required."""
    small, small_fat, places = b"", [], {}
    for name, content in streams.items():
        if len(content) < SMALL:
            places[name] = len(small_fat)
            count = -(-len(content) // SMALL_SECTOR)
            small_fat += _chain(len(small_fat), count)
            small += content.ljust(count * SMALL_SECTOR, b"\0")
    table = struct.pack(f"<{len(small_fat)}I", *small_fat)
    large = {name: content for name, content in streams.items() if len(content) >= SMALL}
    folder = bytes(128 * (len(streams) + 1))
    sections = {"folder": folder, "table": table, "small": small, **{f"stream {name}": large[name] for name in large}}
    counts = {name: -(-len(content) // SECTOR) for name, content in sections.items()}
    fat_sectors = 1
    while fat_sectors * SECTOR // 4 < fat_sectors + sum(counts.values()):
        fat_sectors += 1
    fat, starts = [_FAT] * fat_sectors, {}
    for name, count in counts.items():
        starts[name] = len(fat) if count else _END
        fat += _chain(len(fat), count)
    fat += [_FREE] * (fat_sectors * SECTOR // 4 - len(fat))
    entries = [_entry("Root Entry", 5, starts["small"], len(small), child=1)]
    for number, (name, content) in enumerate(streams.items(), start=1):
        right = number + 1 if number < len(streams) else _NONE
        start = places[name] if name in places else starts[f"stream {name}"]
        entries.append(_entry(name, 2, start, len(content), right=right))
    sections["folder"] = b"".join(entries)
    body = b"".join(content.ljust(counts[name] * SECTOR, b"\0") for name, content in sections.items())
    head = _header(fat_sectors, starts["folder"], starts["table"], counts["table"])
    return head + struct.pack(f"<{len(fat)}I", *fat) + body


def _chain(first: int, count: int) -> list[int]:
    return [*range(first + 1, first + count), _END] if count else []


def _header(fat_sectors: int, folder: int, table: int, table_sectors: int) -> bytes:
    places = [*range(fat_sectors), *[_FREE] * (109 - fat_sectors)]
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<IIIIIIIII", 0, fat_sectors, folder, 0, SMALL, table, table_sectors, _END, 0)
    return head + struct.pack("<109I", *places)


def _entry(name: str, kind: int, start: int, size: int, *, right: int = _NONE, child: int = _NONE) -> bytes:
    encoded = name.encode("utf-16-le") + b"\0\0"
    head = encoded.ljust(64, b"\0") + struct.pack("<HBBIII", len(encoded), kind, 1, _NONE, right, child)
    return head + bytes(36) + struct.pack("<IQ", start, size)


def old_workbook(numbers: Sequence[tuple[float, str]] = ((120.0, "General"),)) -> bytes:
    """Return a workbook of Excel 97 with a word, and formatted numbers below it."""
    formats = list(dict.fromkeys(shown for _, shown in numbers))
    styles = _record(0x0031, struct.pack("<HHHHHBBBxBB", 200, 0, 0, 400, 0, 0, 0, 0, 1, 0) + b"A")
    for number, shown in enumerate(formats):
        styles += _record(0x041E, struct.pack("<HHB", 164 + number, len(shown), 0) + shown.encode())
    styles += _record(0x00E0, bytes(20))
    styles += b"".join(_record(0x00E0, struct.pack("<HH", 0, 164 + n) + bytes(16)) for n in range(len(formats)))
    name = b"Sheet1"
    globals_size = 20 + len(styles) + (4 + 6 + 2 + 6) + 4
    sheet = _record(0x0809, struct.pack("<HHHHII", 0x600, 0x10, 0, 1996, 0, 6))
    sheet += _record(0x0204, struct.pack("<HHHHB", 0, 0, 0, 4, 0) + b"Pump")
    for row, (number, shown) in enumerate(numbers, start=1):
        sheet += _record(0x0203, struct.pack("<HHHd", row, 0, 1 + formats.index(shown), number))
    sheet += _record(0x000A, b"")
    bound = struct.pack("<IHBB", globals_size, 0, len(name), 0) + name
    book = _record(0x0809, struct.pack("<HHHHII", 0x600, 0x5, 0, 1996, 0, 6)) + styles + _record(0x0085, bound)
    book += _record(0x000A, b"")
    assert len(book) == globals_size
    return compound_file({"Workbook": (book + sheet).ljust(4096, b"\0")})


def _record(kind: int, content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def message() -> bytes:
    """Return a message of Outlook with subject, sender and text."""
    texts = {"001A": "IPM.Note", "0037": "Pumps", "0C1A": "Ann", "1000": "The pumps are low."}
    entries = b"".join(
        struct.pack("<HHII", 0x001F, int(name, 16), 6, 2 * len(text) + 2) + bytes(4) for name, text in texts.items()
    )
    streams = {f"__substg1.0_{name}001F": text.encode("utf-16-le") for name, text in texts.items()}
    return compound_file({"__properties_version1.0": bytes(32) + entries, **streams})
