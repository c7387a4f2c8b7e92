# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Counts valid-usage ids by kind: existing, checked, with a negative test; and says of the implicit ones that are not checked why."""

import collections
import fnmatch
import re

_LITERAL = re.compile(r'"(VUID-[\w:-]+)"')
_EXPLICIT = re.compile(r"-\d{5}$")


def kind_of(vuid):
    """'explicit', or what the id of an implicit rule ends with."""
    return "explicit" if _EXPLICIT.search(vuid) else vuid.rsplit("-", 1)[1]


def ids_of(document):
    """Every id of validusage.json."""
    return {entry["vuid"] for sections in document["validation"].values() for entries in sections.values() for entry in entries}


def read_facts(lines):
    """{status: {id: detail}} of what a coverage_facts program printed."""
    result = collections.defaultdict(dict)
    for line in lines:
        status, vuid, detail = line.rstrip("\n").split("\t")
        result[status][vuid] = detail
    return result


def scan_source(name, text):
    """(ids that the file checks, ids that it tests): ids are literals, and a file is a test by its name."""
    found = set(_LITERAL.findall(text))
    return (set(), found) if name.endswith("_test.cc") else (found, set())


def read_exemptions(lines):
    """[(pattern, reason)] of lines 'VUID-*-pUserData-parameter | reason'; # begins a comment."""
    result = []
    for line in lines:
        line = line.strip()
        if line and not line.startswith("#"):
            pattern, reason = line.split("|", 1)
            result.append((pattern.strip(), reason.strip()))
    return result


class Coverage:
    """Which of the registry's ids are checked and tested, and by what name."""

    def __init__(self, ids):
        self.ids = set(ids)
        self.checked = set()
        self.tested = set()
        self.by_another = {}
        self.failed = {}

    def add_facts(self, facts):
        self.checked |= self.ids & facts["tested"].keys()
        self.tested |= self.ids & facts["tested"].keys()
        self.by_another.update(facts["by-another"])
        self.failed.update(facts["failed"])

    def add_source(self, name, text):
        checked, tested = scan_source(name, text)
        self.checked |= checked & self.ids
        self.tested |= tested & self.ids

    def rows(self):
        """(kind, existing, checked, of those with a negative test, reported by another id) for each kind and for all implicit ones."""
        kinds = collections.defaultdict(set)
        for vuid in self.ids:
            kinds[kind_of(vuid)].add(vuid)
        kinds["implicit"] = {v for v in self.ids if kind_of(v) != "explicit"}
        order = sorted(kinds, key=lambda k: (k in ("implicit", "explicit"), -len(kinds[k])))
        return [(kind, len(ids), len(ids & self.checked), len(ids & self.checked & self.tested),
                 len((ids & self.by_another.keys()) - self.checked)) for kind in order for ids in [kinds[kind]]]

    def unchecked(self, exemptions):
        """{reason or '': implicit ids neither checked nor reported by another}."""
        result = collections.defaultdict(list)
        for vuid in sorted(self.ids - self.checked - self.by_another.keys()):
            if kind_of(vuid) != "explicit":
                reason = next((r for p, r in exemptions if fnmatch.fnmatchcase(vuid, p)), "")
                result[reason].append(vuid)
        return result
