# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""What is known of each sentence of a chapter: a file CHAPTER.txt in this folder.

    [Push Constant Interface]                 the section; in lists of valid usage, also the command or structure, as in
    [8.1. Shader Modules: vkCreateShaderModule]

    fbbd1a51 They must be: typed as …         the key of the sentence (chapters.key_of), and its first words
      Push constants are structures.          what it asks
      VUID-StandaloneSpirv-PushConstant-06808 the ids that say so, one a line; "*" and "[...]" stand for a family
      VUID-VkA-pCode-08737 (general)          an id that says so among many other things
      test: NegativeA.B                       a test of this sentence; without one, a general id does not count
      missing: Two blocks have no id.         what no id says of it: such a sentence is delivered in part at best
      besides: The id is newer.               what else there is to say

A sentence without ids has, instead of all below what it asks,

      not checked, REASON: Why.               the reason is one of REASONS; why may be left out
"""

import collections
import dataclasses
import re

from tools.interfaces import chapters

# Chapters: names of their files, and titles.
CHAPTERS = {"spec_shaders": "Shaders", "spec_shader_interfaces": "Shader Interfaces"}

# Why a sentence is not checked.
REASONS = {
    "implementation": "binds implementations, not applications",
    "undefined": "leaves values undefined, which is no error",
    "definition": "introduces other sentences, or defines a term",
    "no id": "no id of the registry speaks of it",
}

_FOLDER = "tools/interfaces"
_SECTION = re.compile(r"\[(.+?)(?:: ((?:vk|Vk)\w+))?\]")
_KEY = re.compile(r"([0-9a-f]{8}) (.+)")
_ID = re.compile(r"((?:VUID|SYNC-HAZARD|UNASSIGNED)-\S+)( \(general\))?")
_TEST = re.compile(r"test: (\w+\.\w+)")
_NOT_CHECKED = re.compile(r"not checked, ([\w ]+)(?:: (.+))?")
_MISSING = re.compile(r"missing: (.+)")
_BESIDES = re.compile(r"besides: (.+)")


@dataclasses.dataclass(frozen=True)
class Entry:
    """An id, or a family of ids."""

    pattern: str
    is_general: bool = False


@dataclasses.dataclass
class Row:
    """What is known of a sentence."""

    section: str
    owner: str
    key: str
    words: str
    asks: str = ""
    entries: list = dataclasses.field(default_factory=list)
    tests: list = dataclasses.field(default_factory=list)
    missing: str = ""
    reason: str = ""
    text: str = ""

    @property
    def place(self):
        return self.section, self.owner, self.key


def path_of(chapter):
    return f"{_FOLDER}/{chapter}.txt"


def _add(row, line):
    """Adds a line below the key. Returns whether it has a known form."""
    if not row.asks:
        row.asks = line
    elif found := _ID.fullmatch(line):
        row.entries.append(Entry(found[1], bool(found[2])))
    elif found := _TEST.fullmatch(line):
        row.tests.append(found[1])
    elif found := _NOT_CHECKED.fullmatch(line):
        row.reason, row.text = found[1], found[2] or ""
    elif found := _MISSING.fullmatch(line):
        row.missing = found[1]
    elif found := _BESIDES.fullmatch(line):
        row.text = found[1]
    else:
        return False
    return True


def parse(lines):
    """The rows of a file. Raises ValueError for a line of no known form, or a row without ids and reason."""
    rows = []
    section = owner = ""
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        if found := _SECTION.fullmatch(line):
            section, owner = found[1], found[2] or ""
        elif found := _KEY.fullmatch(line):
            rows.append(Row(section, owner, found[1], found[2]))
        elif not (rows and line.startswith("  ") and _add(rows[-1], line.strip())):
            raise ValueError(f'line {number}: "{line}" is of no known form')
    for row in rows:
        if bool(row.entries) == bool(row.reason) or not row.asks:
            raise ValueError(f"{row.key}: a sentence has what it asks, and either ids or a reason")
        if row.reason and row.reason not in REASONS:
            raise ValueError(f'{row.key}: "{row.reason}" is not among the reasons')
    return rows


def problems(rows, text):
    """One line for each sentence of the chapter without a row, and for each row without a sentence."""
    found = collections.Counter()
    for sentence in chapters.must_sentences(text):
        found[sentence.section, sentence.owner, chapters.key_of(sentence.text)] += 1
    named = collections.Counter(row.place for row in rows)
    words = {chapters.key_of(sentence.text): chapters.first_words(sentence.text)
             for sentence in chapters.must_sentences(text)}
    words.update({row.key: row.words for row in rows})
    result = []
    for sign, difference in (("no row for", found - named), ("no sentence for", named - found)):
        for section, owner, key in difference.elements():
            result.append(f"{sign} {key} {words[key]} [{section}{': ' if owner else ''}{owner}]")
    return result
