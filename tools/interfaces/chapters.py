# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The sentences of a chapter of the specification, as plain text, that say what must be.

The text has a paragraph, or an item of a list, per line. Items are indented and begin with a bullet or a number. A
heading is a line of its own: numbered everywhere ("8.1. Shader Modules"), or else a short line in title case.
"""

import collections
import hashlib
import re

_NUMBERED = re.compile(r"\d+(\.\d+)*\. \S")
_ITEM = re.compile(r" +(?:•|\d+\.) +")
_WORD = re.compile(r"[A-Za-z][\w'’-]*")
_END_OF_SENTENCE = re.compile(r"(?<!e\.g\.)(?<!i\.e\.)(?<=[.?!])\s+(?=[A-Z])")
_MUST = re.compile(r"\bmust\b")
_MUST_LAST = re.compile(r"(\bmust|:)$")
_DECLARATION = re.compile(r"\b(vk[A-Z]\w+)\($|\btypedef struct (Vk\w+) \{")
_USAGE = ("Valid Usage", "Valid Usage (Implicit)", "Host Synchronization")
_MAX_HEADING = 60
# In title case, words of up to three letters may be small.
_SMALL_WORD = 3
_DIGITS = 8
_FIRST_WORDS = 5

# A command or structure, if the sentence is in the list of its valid usage.
Sentence = collections.namedtuple("Sentence", "section owner text")

_Piece = collections.namedtuple("_Piece", "section owner is_item text")


def key_of(text):
    """What stands for a sentence: digits of a hash, whatever its blanks are."""
    return hashlib.sha256(" ".join(text.split()).encode("utf-8")).hexdigest()[:_DIGITS]


def first_words(text):
    """The beginning of a sentence, by which a reader finds it."""
    words = text.split()
    return " ".join(words[:_FIRST_WORDS]) + (" …" if len(words) > _FIRST_WORDS else "")


def _is_title(line):
    if line.startswith(" ") or len(line) > _MAX_HEADING or line[-1] in ".:;,)":
        return False
    words = [word for word in _WORD.findall(line) if len(word) > _SMALL_WORD]
    return bool(words) and all(word[0].isupper() for word in words)


def _pieces(text):
    """Every sentence and item, with the section that it is in."""
    lines = [line for line in text.split("\n") if line.strip()]
    is_heading = _NUMBERED.match if lines and _NUMBERED.match(lines[0]) else _is_title
    section = owner = ""
    in_usage = False
    for line in lines:
        if declared := _DECLARATION.search(line):
            owner = declared[1] or declared[2]
        if is_heading(line):
            section, owner, in_usage = line.strip(), "", False
        elif line.strip() in _USAGE:
            in_usage = True
        else:
            item = _ITEM.match(line)
            in_usage &= line.startswith(" ")
            for sentence in _END_OF_SENTENCE.split(line[item.end() if item else 0:].strip()):
                yield _Piece(section, owner if in_usage else "", bool(item), sentence)


def must_sentences(text):
    """The sentences of a chapter with "must". One that a list completes has the items of the list, too."""
    pieces = list(_pieces(text))
    result = []
    for index, piece in enumerate(pieces):
        if not _MUST.search(piece.text):
            continue
        parts = [piece.text]
        if _MUST_LAST.search(piece.text):
            for item in pieces[index + 1:]:
                if not item.is_item:
                    break
                parts.append(item.text)
        result.append(Sentence(piece.section, piece.owner, " ".join(parts)))
    return result
