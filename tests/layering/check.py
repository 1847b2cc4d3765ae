#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
"""Fails on an #include that layers.txt does not allow, and on a library of src/ without unit tests.

usage: check.py ROOT [LAYERS]   exit 0: clean, 1: findings (one per line), 2: layers.txt is wrong
"""
import fnmatch
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
SOURCES = {".c", ".cpp", ".h", ".hpp", ".cu"}
WITHOUT_UNIT_TESTS = {"src/cli", "src/decisions"}  # cli is tested by tests/golden


def read_layers(path):
    """Returns (allowed: folder -> set, only: [(patterns, folders)], never: [(folder, patterns)])."""
    allowed, only, never = {}, [], []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#", 1)[0].strip()
        if not line:
            continue
        left, colon, right = line.partition(":")
        if not colon:
            print(f"{path}:{number}: no colon in {line!r}", file=sys.stderr)
            sys.exit(2)
        words = left.split()
        if words[0] == "only":
            only.append((words[1:], right.split()))
        elif words[0] == "never":
            never.append((words[1], right.split()))
        else:
            allowed[words[0]] = set(right.split())
    return allowed, only, never


def folder_of(relative, allowed):
    return next((f for f in allowed if relative == f or relative.startswith(f + "/")), None)


def matches(name, patterns):
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def is_within(relative, places):
    parent = relative.rsplit("/", 1)[0]
    return any(relative == place or parent == place or parent.startswith(place + "/")
               or fnmatch.fnmatch(parent, place) for place in places)


def check_file(root, path, allowed, only, never):
    relative = path.relative_to(root).as_posix()
    folder = folder_of(relative, allowed)
    if folder is None:
        yield f"{relative}: its folder is not in layers.txt"
        return
    for _, name in INCLUDE.findall(path.read_text(errors="replace")):
        target = next((f for f in (f"src/{name}", f"{folder}/{name}", name)
                       if (root / f).is_file()), None)
        included = folder_of(target, allowed) if target else None
        if included and included != folder and included not in allowed[folder]:
            yield f"{relative}: {folder} may not include {name}"
        for patterns, places in only:
            if target is None and matches(name, patterns) and not is_within(relative, places):
                yield f"{relative}: <{name}> may be included only in {' '.join(places)}"
        for place, patterns in never:
            if target is None and folder == place and matches(name, patterns):
                yield f"{relative}: {place} may not include <{name}>"


def check_tests(root, allowed):
    for folder in allowed:
        has_sources = any((root / folder).rglob("*.cpp")) if folder.startswith("src/") else False
        if has_sources and folder not in WITHOUT_UNIT_TESTS:
            if not any((root / "tests/unit" / folder[4:]).rglob("*_test.cpp")):
                yield f"{folder}: no tests in tests/unit/{folder[4:]}"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    layers = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else root / "tests/layering/layers.txt"
    allowed, only, never = read_layers(layers)
    findings = []
    seen = 0
    for top in ("src", "slurm-plugin", "mpi-runtime"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SOURCES:
                seen += 1
                findings += check_file(root, path, allowed, only, never)
    findings += check_tests(root, allowed)
    if seen == 0:
        findings.append(f"{root}: no sources found")
    print("\n".join(findings) if findings else f"{seen} files keep the layers")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
