# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Every id that is not checked, with a reason: the file GOLDEN.

A line [REASON] begins a section. Each line below it names unchecked ids, in one of two ways:

    vkCmdDraw* 02690-02711 08600    the explicit ids of owners that begin so, with these numbers
    VkFoo *                         all explicit ids of the owner
    VUID-VkFoo-bar-parameter        one id

An owner is the command, structure or other name after VUID-. A reason that begins with UNBREAKABLE is of ids that no
program breaks, or only together with a rule that is reported.
"""

import bisect
import collections
import dataclasses
import re

from tools.coverage import counting

GOLDEN = "tools/coverage/unchecked_ids.txt"
UNBREAKABLE = "No program breaks it alone:"

_COLUMNS = 100
_HEAD = """\
# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
#
# Every id of the registry that is not checked, with a reason. tools/coverage/unchecked.py describes the form.
# `./bazelw run //tools:coverage -- --update_goldens` takes out what is checked by now. It invents no reason: write a
# line for an id that is new here. `./bazelw run //tools:coverage -- --why VUID-...` looks an id up.
"""
# The words of an owner's name: "vk", "Cmd", "Draw".
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|.")
_ALL = "*"


def owner_of(vuid):
    return vuid.split("-")[1]


def _number_of(vuid):
    return vuid[-5:]


@dataclasses.dataclass(frozen=True)
class Line:
    """A line of the file."""

    reason: str
    number: int
    # An owner, the beginning of some and "*", or a whole id.
    owner: str
    # Pairs of first and last number. Empty for a whole id; _ALL stands for every number.
    ranges: tuple

    def has_owner(self, owner):
        return owner.startswith(self.owner[:-1]) if self.owner.endswith("*") else owner == self.owner

    def has_number(self, number):
        return _ALL in self.ranges or any(first <= number <= last for first, last in self.ranges)


def parse(lines):
    """The lines of the file that name ids. Raises ValueError on what is of no known form."""
    result = []
    reason = ""
    for number, line in enumerate(lines, 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            reason = line[1:-1]
            continue
        owner, *items = line.split()
        ranges = tuple(_ALL if item == _ALL else (item[:5], item[-5:]) for item in items)
        well_formed = all(re.fullmatch(r"\*|\d{5}(-\d{5})?", item) for item in items)
        if not reason or not well_formed or bool(items) == owner.startswith("VUID-"):
            raise ValueError(f'{GOLDEN}:{number}: "{line}" is of no known form, or without a reason')
        result.append(Line(reason, number, owner, ranges))
    return result


class _Index:
    """The ids of a registry, by owner."""

    def __init__(self, ids):
        self.ids = ids
        self._explicit = collections.defaultdict(list)
        for vuid in ids:
            if counting.kind_of(vuid) == "explicit":
                self._explicit[owner_of(vuid)].append(vuid)
        self.owners = sorted(self._explicit)

    def owners_of(self, pattern):
        """The owners that an owner, or the beginning of some and "*", stands for."""
        if not pattern.endswith("*"):
            return [pattern] if pattern in self._explicit else []
        begin = bisect.bisect_left(self.owners, pattern[:-1])
        end = bisect.bisect_left(self.owners, pattern[:-1] + "\x7f")
        return self.owners[begin:end]

    def explicit_of(self, pattern):
        return [vuid for owner in self.owners_of(pattern) for vuid in self._explicit[owner]]

    def matches(self, line):
        if not line.ranges:
            return [line.owner] if line.owner in self.ids else []
        return [vuid for vuid in self.explicit_of(line.owner) if line.has_number(_number_of(vuid))]


def _lines_of(lines, index):
    """{id: the lines that name it}."""
    result = collections.defaultdict(list)
    for line in lines:
        for vuid in index.matches(line):
            result[vuid].append(line)
    return result


def reasons(lines, ids):
    """{id: reason} of the ids that the file names."""
    return {vuid: found[0].reason for vuid, found in _lines_of(lines, _Index(ids)).items()}


def problems(lines, ids, unchecked):
    """One sentence for each mistake of the file. It must name each unchecked id once, and no other of ids."""
    index = _Index(ids)
    named = _lines_of(lines, index)
    result = [f"{vuid} is not checked, and no line says why." for vuid in sorted(unchecked - named.keys())]
    for vuid, found in sorted(named.items()):
        where = " and ".join(str(line.number) for line in found)
        if vuid not in unchecked:
            result.append(f"{vuid} is checked, or reported by another rule, but line {where} names it.")
        elif len(found) > 1:
            result.append(f"{vuid} is named by lines {where}.")
    for line in lines:
        parts = [dataclasses.replace(line, ranges=(part,)) for part in line.ranges] or [line]
        result += [f"Line {line.number} names no id: {part.owner} {part.ranges}." for part in parts
                   if not index.matches(part)]
    return result


def _runs(index, pattern, wanted):
    """Ranges of numbers that name wanted ids of the pattern and no others; and the ids that they name.

    A number that another id of these owners has too is left out.
    """
    by_number = collections.defaultdict(list)
    for vuid in index.explicit_of(pattern):
        by_number[_number_of(vuid)].append(vuid)
    runs, named, is_open = [], set(), False
    for number in sorted(by_number):
        is_clean = wanted.issuperset(by_number[number])
        if is_clean:
            named.update(by_number[number])
            runs[-1:] = [(runs[-1][0], number)] if is_open else runs[-1:] + [(number, number)]
        is_open = is_clean
    if len(named) == sum(map(len, by_number.values())):
        runs = [_ALL]
    return runs, named


def _children(pattern, index):
    """The next longer patterns, which share the owners: one more word, or a whole name."""
    begin = len(pattern) - 1
    groups = {}
    key = None
    # Sorted, so that a name follows those that it begins with.
    for owner in index.owners_of(pattern):
        if key is None or len(key) == begin or not owner.startswith(key):
            word = _WORD.match(owner, begin)
            key = owner[:word.end()] if word else owner
        groups.setdefault(key, []).append(owner)
    return [owners[0] if len(owners) == 1 else key + "*" for key, owners in groups.items()]


def _shortest(pattern, wanted, index):
    """[(pattern, ranges)] that name the wanted ids of the pattern, and no others."""
    wanted = wanted.intersection(index.explicit_of(pattern))
    if not wanted:
        return []
    runs, named = _runs(index, pattern, wanted)
    if not pattern.endswith("*"):
        return [(pattern, runs)]
    children = _children(pattern, index)
    split = [entry for child in children for entry in _shortest(child, wanted, index)]
    # A beginning as short as "vk" or "Vk" says nothing.
    if len(children) < 2 or not runs or len(_WORD.findall(pattern[:-1])) < 2:
        return split
    whole = [(pattern, runs)] + [entry for child in children for entry in _shortest(child, wanted - named, index)]
    return min(split, whole, key=lambda entries: sum(1 + len(ranges) for _, ranges in entries))


def _written(pattern, ranges):
    """Lines for the ranges, no longer than _COLUMNS."""
    line = pattern
    for part in ranges:
        item = part if part == _ALL or part[0] != part[1] else part[0]
        item = "-".join(item) if isinstance(item, tuple) else item
        if len(line) + 1 + len(item) > _COLUMNS:
            yield line
            line = pattern
        line += " " + item
    yield line


def text(reason_of, ids):
    """The file that names the ids of reason_of, a dictionary, in the order of its reasons."""
    index = _Index(ids)
    groups = collections.defaultdict(set)
    for vuid, reason in reason_of.items():
        groups[reason].add(vuid)
    result = _HEAD
    for reason, group in groups.items():
        result += f"\n[{reason}]\n"
        for pattern in _children("*", index):
            for entry in _shortest(pattern, group, index):
                result += "".join(line + "\n" for line in _written(*entry))
        result += "".join(vuid + "\n" for vuid in sorted(group) if counting.kind_of(vuid) != "explicit")
    return result


def update(lines, ids, unchecked):
    """The file, rewritten for the ids that are unchecked now. Raises ValueError for one that has no reason yet."""
    old = reasons(lines, ids)
    missing = sorted(unchecked - old.keys())
    if missing:
        raise ValueError(f"{GOLDEN} has no line for {', '.join(missing)}")
    # In the order of the file.
    order = {reason: place for place, reason in enumerate(dict.fromkeys(line.reason for line in lines))}
    return text({vuid: old[vuid] for vuid in sorted(unchecked, key=lambda v: (order[old[v]], v))}, ids)
