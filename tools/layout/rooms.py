# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Folders: how many sources each holds, which ones ARCHITECTURE.md lists, and how a reader finds the way into each.

The tree of ARCHITECTURE.md is the first fenced block below the heading "## Rooms". Each of its lines is a folder:

    syncval/  Synchronization validation.
      engine/  Ranges, accesses and barriers.

Two spaces of indentation stand for one level. The folder's name ends in '/'. At least two spaces follow, then one line
that describes the folder. Blank lines are allowed.
"""

import collections
import itertools
import os
import re

from tools.layout import checkout

MAX_SOURCES = 25
MAX_FULL_FOLDERS = 5

ARCHITECTURE = "ARCHITECTURE.md"
HEADING = "## Rooms"

# Folders that the tree may leave out: those of data alone, and what third_party has below its first level.
MAY_BE_LEFT_OUT = re.compile(r"(^|/)goldens(/|$)|^third_party/[^/]+/")

_SOURCE = re.compile(r"\.(h|cc|py|js|bzl)$")
_TEST = re.compile(r"_test\.(h|cc|py|js)$|_(fuzz|benchmark)\.cc$")
_GOLDEN = re.compile(r"(^|/)goldens/")

_TREE_LINE = re.compile(r"((?:  )*)([^\s/]+)/(?:  +(\S.*))?")

_WAY_IN = re.compile(r"([\w/]+\.h) is the way in")
_ESSAY_LINES = 3


def is_counted(path):
    """Whether a file is a source besides tests and goldens."""
    return bool(_SOURCE.search(path)) and not _TEST.search(path) and not _GOLDEN.search(path)


def full_folders(tree):
    """Folders with more sources than a reader can take in at once, and exceptions for folders that do not need one."""
    counts = collections.Counter(os.path.dirname(path) for path in tree.files if is_counted(path))
    excepted = [path for path in tree.exceptions if path.endswith("/")]
    for folder, count in sorted(counts.items()):
        if count > MAX_SOURCES and folder + "/" not in excepted:
            yield "%s/ has %d source files besides tests, more than %d." % (folder, count, MAX_SOURCES)
    for path in excepted:
        count = counts[path[:-1]]
        if count <= MAX_SOURCES:
            yield "%s: %s does not need an exception: it has %d source files." % (checkout.EXCEPTIONS, path, count)
    if len(excepted) > MAX_FULL_FOLDERS:
        yield "%s: %d folders are listed, more than %d." % (checkout.EXCEPTIONS, len(excepted), MAX_FULL_FOLDERS)


def _tree_block(lines):
    """(number, line) for each line of the first fenced block below the heading; None without one."""
    if HEADING not in lines:
        return None
    start = lines.index(HEADING) + 1
    block = None
    for number, line in enumerate(lines[start:], start + 1):
        if line.startswith("```"):
            if block is not None:
                return block
            block = []
        elif block is not None:
            block.append((number, line))
        elif line.startswith("## "):
            break
    return None


def listed_folders(block):
    """({folder: line number}, breaches) of the tree of ARCHITECTURE.md."""
    listed, breaches, parents = {}, [], []
    for number, line in block:
        if not line.strip():
            continue
        place = "%s:%d: " % (ARCHITECTURE, number)
        match = _TREE_LINE.fullmatch(line)
        if not match or len(match[1]) // 2 > len(parents):
            sentence = '"%s" is not a folder, two spaces and a description, below its parent.'
            breaches.append(place + sentence % line.strip())
            continue
        parents[len(match[1]) // 2:] = [match[2]]
        folder = "/".join(parents)
        if not match[3]:
            breaches.append(place + "%s/ does not have a description." % folder)
        if folder in listed:
            breaches.append(place + "%s/ is listed twice." % folder)
        listed[folder] = number
    return listed, breaches


def tree_differences(tree):
    """Where the tree of ARCHITECTURE.md and the folders of the checkout differ."""
    block = _tree_block(tree.lines(ARCHITECTURE)) if ARCHITECTURE in tree.files else None
    if block is None:
        yield '%s does not have a fenced block with the tree of folders below "%s".' % (ARCHITECTURE, HEADING)
        return
    listed, breaches = listed_folders(block)
    yield from breaches
    for folder, number in listed.items():
        if folder not in tree.folders:
            yield "%s:%d: %s/ does not exist." % (ARCHITECTURE, number, folder)
    for folder in sorted(tree.folders - set(listed)):
        if not MAY_BE_LEFT_OUT.search(folder):
            yield "%s: %s/ is not in the tree of folders." % (ARCHITECTURE, folder)


def purpose(lines):
    """What a BUILD file says that its folder is for, in the comment that follows the two SPDX lines; "" if nothing."""
    if not all(line.startswith("# SPDX-") for line in lines[:2]):
        return ""
    comment = itertools.takewhile(lambda line: line.startswith("#"), lines[2:])
    return " ".join(line[1:].strip() for line in comment)


def has_essay(lines):
    """Whether a header has a comment of at least three lines before its namespace, not counting the SPDX lines."""
    length = 0
    for line in lines:
        if line.startswith("namespace assay"):
            return False
        length = length + 1 if line.startswith("//") and "SPDX-" not in line else 0
        if length == _ESSAY_LINES:
            return True
    return False


def ways_in(tree):
    """Packages that do not say what they are for, and headers called the way in that are missing or have no essay."""
    for path in tree.files:
        if os.path.basename(path) != "BUILD.bazel" or path.startswith("third_party/"):
            continue
        text = purpose(tree.lines(path))
        if not text:
            yield "%s does not say, in a comment from its third line on, what the folder is for." % path
        for name in _WAY_IN.findall(text):
            header = os.path.join(os.path.dirname(path), name)
            if header not in tree.files:
                yield "%s calls %s the way in, which does not exist." % (path, header)
            elif not has_essay(tree.lines(header)):
                yield "%s is the way in but does not have an opening essay before its namespace." % header


def breaches(tree):
    """One sentence for each breach that concerns folders."""
    yield from full_folders(tree)
    yield from tree_differences(tree)
    yield from ways_in(tree)
