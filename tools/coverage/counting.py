# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Counts valid-usage ids by kind: existing, checked, with a negative test. Gives the reasons for unchecked ids."""

import collections
import fnmatch
import re

_LITERAL = re.compile(r'"(VUID-[\w:-]+)"')
# Ids that the registry does not have.
_OWN_LITERAL = re.compile(r'"((?:SYNC-HAZARD|UNASSIGNED)-[\w-]*\w)"')
_COMMENT = re.compile(r"^\s*//.*", re.MULTILINE)
_EXPLICIT = re.compile(r"-\d{5}$")


def kind_of(vuid):
    """'explicit', or the last part of the id of an implicit rule."""
    return "explicit" if _EXPLICIT.search(vuid) else vuid.rsplit("-", 1)[1]


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


def scan_source(name, text):
    """(ids that the file checks, ids that it tests): literals outside of comments. Its name says if it is a test."""
    text = _COMMENT.sub("", text)
    found = set(_LITERAL.findall(text)) | set(_OWN_LITERAL.findall(text))
    return (set(), found) if name.endswith("_test.cc") else (found, set())


def read_exemptions(lines):
    """[(pattern, reason)] of lines 'VUID-*-pUserData-parameter | reason'. A # begins a comment."""
    result = []
    for line in lines:
        line = line.strip()
        if line and not line.startswith("#"):
            pattern, reason = line.split("|", 1)
            result.append((pattern.strip(), reason.strip()))
    return result


class Coverage:
    """The registry's ids that are checked and tested, and the ids that they are reported under.

    A rule is reported under its own id, unless the breach of another rule takes precedence. It is then reported under
    that rule's id. The message names the rule's own id (named), or does not (by_another).
    """

    def __init__(self, ids):
        self.ids = set(ids)
        self.checked = set()
        self.tested = set()
        self.named = {}
        self.by_another = {}
        self.unbreakable = {}
        self.failed = {}
        # Ids of messages that the registry does not have.
        self.own = set()

    def add_facts(self, facts):
        """Adds the output of a program. An id that several programs name counts once."""
        for status in ("tested", "named"):
            self.checked |= self.ids & facts[status].keys()
            self.tested |= self.ids & facts[status].keys()
        self.named.update(facts["named"])
        self.by_another.update(facts["by-another"])
        self.unbreakable.update(facts["unbreakable"])
        self.failed.update(facts["failed"])

    def add_source(self, name, text):
        checked, tested = scan_source(name, text)
        self.own |= {vuid for vuid in checked if not vuid.startswith("VUID-")}
        self.checked |= checked & self.ids
        self.tested |= tested & self.ids

    def rows(self):
        """For each kind, and for all implicit ones: the name, and the numbers of ids.

        The numbers are of ids that exist, that are checked, that are also tested, that are named in a message of
        another id, and that are only reported under another id.
        """
        kinds = collections.defaultdict(set)
        for vuid in self.ids:
            kinds[kind_of(vuid)].add(vuid)
        kinds["implicit"] = {v for v in self.ids if kind_of(v) != "explicit"}
        order = sorted(kinds, key=lambda k: (k in ("implicit", "explicit"), -len(kinds[k])))
        return [(kind, len(ids), len(ids & self.checked), len(ids & self.checked & self.tested),
                 len(ids & self.named.keys()), len((ids & self.by_another.keys()) - self.checked))
                for kind in order for ids in [kinds[kind]]]

    def precedence(self):
        """{(kind of a named id, kind of the id that takes precedence): number of ids}."""
        return collections.Counter((kind_of(vuid), kind_of(by)) for vuid, by in self.named.items())

    def unchecked(self, exemptions):
        """{reason or '': implicit ids neither checked nor reported by another}."""
        result = collections.defaultdict(list)
        for vuid in sorted(self.ids - self.checked - self.by_another.keys()):
            if kind_of(vuid) != "explicit":
                reason = next((r for p, r in exemptions if fnmatch.fnmatchcase(vuid, p)), "")
                if vuid in self.unbreakable:
                    reason = "A structure whose type has no implicit rule that could be broken."
                result[reason].append(vuid)
        return result
