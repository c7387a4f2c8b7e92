# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Counts valid-usage ids by kind: existing, checked, tested, with a test case, reported by another rule.

checked: the id is a literal in an id function of a package with checks, as in vk::Vuid("VUID-..."), or it is in a table
that checks go by. A coverage_facts program names the ids of such tables.

tested: a test of the whole layer expects a message with the id, and receives it.

with a test case: the negative test case that is made from the registry passes. It runs the check alone.

reported by another rule: a breach is reported under the id of another rule, whose message names this one. Such an id is
neither checked nor tested.
"""

import collections
import re

# A string literal or a comment.
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_ID_FUNCTION = re.compile(r'\bVuid\(\s*"(VUID-[\w:-]+)"\s*\)')
# Ids that the registry does not have.
_OWN_LITERAL = re.compile(r'"((?:SYNC-HAZARD|UNASSIGNED)-[\w-]*\w)"')
_EXPLICIT = re.compile(r"-\d{5}$")


def kind_of(vuid):
    """'explicit', or the last part of the id of an implicit rule."""
    return "explicit" if _EXPLICIT.search(vuid) else vuid.rsplit("-", 1)[1]


def owner_of(vuid):
    """The command, structure, built-in variable or environment that the id names: "VkA" of "VUID-VkA-None-00001"."""
    return vuid.split("-", 2)[1]


def ids_of(document):
    """Every id of validusage.json."""
    return {
        entry["vuid"]
        for sections in document["validation"].values() for entries in sections.values() for entry in entries
    }


def read_facts(lines):
    """{status: {id: detail}} from the output of a coverage_facts program."""
    result = collections.defaultdict(dict)
    for line in lines:
        status, vuid, detail = line.rstrip("\n").split("\t")
        result[status][vuid] = detail
    return result


def without_comments(text):
    return _TOKEN.sub(lambda token: token[0] if token[0].startswith('"') else " ", text)


def scan_source(text):
    """(ids in id functions, ids that the registry does not have) of a C++ source."""
    text = without_comments(text)
    return set(_ID_FUNCTION.findall(text)), set(_OWN_LITERAL.findall(text))


class Coverage:
    """The registry's ids, and what becomes of each."""

    def __init__(self, ids):
        self.ids = set(ids)
        self.checked = set()
        self.tested = set()
        self.has_test_case = set()
        # {id: the id that it is reported under}.
        self.by_another = {}
        # Ids of rules that no value breaks: {id: why}.
        self.unbreakable = {}
        # Ids whose test case fails: {id: how}.
        self.failed = {}
        # Ids of messages that the registry does not have.
        self.own = set()

    def add_facts(self, facts):
        """Adds the output of a program. An id that several programs name counts once."""
        passed = self.ids & facts["tested"].keys()
        self.has_test_case |= passed
        self.checked |= passed | (self.ids & facts["in-table"].keys())
        for status in ("named", "by-another"):
            self.by_another.update(facts[status])
        self.unbreakable.update(facts["unbreakable"])
        self.failed.update(facts["failed"])

    def add_source(self, text):
        """Adds a source of a package with checks."""
        checked, own = scan_source(text)
        self.checked |= checked & self.ids
        self.own |= own

    def add_delivered(self, ids):
        """Adds the ids that tests of the whole layer expect and receive."""
        self.tested |= self.ids.intersection(ids)

    def stood_for(self):
        """The ids that are reported under the id of another rule alone."""
        return self.ids.intersection(self.by_another) - self.checked

    def unchecked(self):
        """The ids that nothing reports."""
        return self.ids - self.checked - self.stood_for()

    def owners(self):
        """The commands and structures, and the groups of rules, that have ids."""
        return {owner_of(vuid) for vuid in self.ids}

    def explicit_of(self, owners):
        """The explicit ids of owners."""
        return {vuid for vuid in self.ids if kind_of(vuid) == "explicit" and owner_of(vuid) in owners}

    def rows(self):
        """For each kind, and for all implicit ones: the name, and the numbers of ids.

        The numbers are of ids that exist, are checked, are tested, have a test case, and are reported by another rule.
        """
        kinds = collections.defaultdict(set)
        for vuid in self.ids:
            kinds[kind_of(vuid)].add(vuid)
        kinds["implicit"] = {v for v in self.ids if kind_of(v) != "explicit"}
        order = sorted(kinds, key=lambda k: (k in ("implicit", "explicit"), -len(kinds[k])))
        columns = (self.checked, self.tested & self.checked, self.has_test_case, self.stood_for())
        return [(kind, len(kinds[kind]), *[len(kinds[kind] & column) for column in columns]) for kind in order]

    def precedence(self):
        """{(kind of an id, kind of the id that it is reported under): number of ids}."""
        return collections.Counter((kind_of(vuid), kind_of(self.by_another[vuid])) for vuid in self.stood_for())
