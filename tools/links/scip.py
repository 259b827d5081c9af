"""Reads a SCIP index (protobuf) into plain Python, without a protobuf library.

Only the fields that `python.py` and `rust.py` need: documents, their paths, and the ranges, symbols and roles of occurrences.
"""

DEFINITION = 1


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data):
    """Yields (field number, value); a value is an int or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = varint(data, at)
        elif wire == 2:
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
        elif wire == 1:
            value, at = data[at : at + 8], at + 8
        elif wire == 5:
            value, at = data[at : at + 4], at + 4
        else:
            raise ValueError(f"wire type {wire}")
        yield number, value


def occurrence(data):
    start, symbol, roles = [], "", 0
    for number, value in fields(data):
        if number == 1:
            if isinstance(value, int):
                start.append(value)
            else:
                at = 0
                while at < len(value):
                    part, at = varint(value, at)
                    start.append(part)
        elif number == 2:
            symbol = value.decode()
        elif number == 3:
            roles = value
    line, column = start[0], start[1]
    end_line, end = (line, start[2]) if len(start) == 3 else (start[2], start[3])
    return {"line": line + 1, "column": column, "end_line": end_line + 1, "end": end, "symbol": symbol, "definition": bool(roles & DEFINITION)}


def documents(path):
    """Yields (relative path, occurrences) for each document of the index at `path`. Lines count from 1, columns from 0."""
    with open(path, "rb") as file:
        data = file.read()
    for number, value in fields(data):
        if number != 2:
            continue
        name, found = "", []
        for inner, part in fields(value):
            if inner == 1:
                name = part.decode()
            elif inner == 2:
                found.append(occurrence(part))
        yield name, found
