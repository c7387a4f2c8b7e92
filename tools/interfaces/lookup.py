# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Which ids are delivered, by which tests, and where they are checked: as the checkout and tools/coverage have it."""

import collections
import dataclasses
import fnmatch
import os
import re

from tools.coverage import counting
from tools.coverage import delivered
from tools.coverage import gathering
from tools.coverage import mutation

_ID_FUNCTION = re.compile(r'\bVuid\(\s*"[^"]*"\s*\)')
_LITERAL = re.compile(r'"((?:VUID|SYNC-HAZARD|UNASSIGNED)-[^"]*)"')
_TEST_NAME = re.compile(r"\bTEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)")
_TEST_CASES = "/test_cases"


@dataclasses.dataclass
class Finding:
    """What there is of an id or a family of ids."""

    # All ids of the family, and those that tests of the whole layer receive.
    ids: list
    delivered: list
    # Folders with checks, and the files, or else labels, of the tests that receive them.
    checkers: list
    tests: list
    # Not delivered, but with a test case, which runs the check alone.
    test_cases: list
    # {id: id that it is reported under}.
    by_another: dict


def literals(text):
    """The ids that a source has in strings, but for those in id functions."""
    return set(_LITERAL.findall(_ID_FUNCTION.sub(" ", counting.without_comments(text))))


def test_names(text):
    """The tests of a source, as SUITE.NAME."""
    return {f"{suite}.{name}" for suite, name in _TEST_NAME.findall(text)}


def folder_of(program):
    """The folder whose rules a coverage_facts program counts."""
    folder = os.path.dirname(program)
    return folder[:-len(_TEST_CASES)] if folder.endswith(_TEST_CASES) else folder


class Lookup:
    """Answers for ids."""

    def __init__(self, ids):
        self.ids = set(ids)
        self.coverage = counting.Coverage(ids)
        # {id: folders with its check}, {id: labels of tests that receive it}, {id: files with it as a string}.
        self._checkers = collections.defaultdict(set)
        self._labels = collections.defaultdict(set)
        self._files = collections.defaultdict(set)
        # {SUITE.NAME: files}.
        self._test_files = collections.defaultdict(set)

    def add_facts(self, program, facts):
        """Adds what a coverage_facts program prints."""
        alone = counting.Coverage(self.ids)
        alone.add_facts(facts)
        self.coverage.add_facts(facts)
        for vuid in alone.checked:
            self._checkers[vuid].add(folder_of(program))

    def add_source(self, path, text, has_checks):
        """Adds a C++ source."""
        checked, own = counting.scan_source(text) if has_checks else (set(), set())
        if has_checks:
            self.coverage.add_source(text)
        for vuid in (checked & self.ids) | own:
            self._checkers[vuid].add(os.path.dirname(path))
        for vuid in literals(text) - own:
            self._files[vuid].add(path)
        for name in test_names(text):
            self._test_files[name].add(path)

    def add_delivered(self, by_test):
        """Adds {label of a test: ids that it expects and receives}."""
        for label, ids in by_test.items():
            for vuid in ids:
                self._labels[vuid].add(label)

    def family(self, pattern):
        """The ids that a pattern stands for."""
        if pattern in self.ids:
            return [pattern]
        known = self.ids if pattern.startswith("VUID-") else self._labels.keys() | self.coverage.own
        return sorted(fnmatch.filter(known, pattern))

    def _tests_of(self, vuid):
        """The files in the folders of the tests that have the id as a string, or else the labels."""
        for label in self._labels.get(vuid, ()):
            folder = label[2:].partition(":")[0] + "/"
            files = {path for path in self._files.get(vuid, ()) if path.startswith(folder)}
            yield from files or {label}

    def tests_named(self, name, ids):
        """The files that have a test, and one of the ids."""
        with_ids = set().union(*(self._files.get(vuid, ()) for vuid in ids))
        return with_ids.intersection(self._test_files.get(name, ()))

    def find(self, pattern, is_general=False, tests=()):
        """What there is of an id or a family. A general id is delivered if it is by the named tests."""
        ids = self.family(pattern)
        received = [vuid for vuid in ids if vuid in self._labels]
        files = {test for vuid in received for test in self._tests_of(vuid)}
        if is_general:
            files &= {path for name in tests for path in self.tests_named(name, received)}
            received = received if files else []
        stood_for = self.ids.intersection(ids).intersection(self.coverage.by_another) - self.coverage.checked
        return Finding(
            ids=ids,
            delivered=received,
            checkers=sorted({folder for vuid in ids for folder in self._checkers.get(vuid, ())}),
            tests=sorted(files),
            test_cases=sorted((set(ids) & self.coverage.has_test_case) - set(received)),
            by_another={vuid: self.coverage.by_another[vuid] for vuid in sorted(stood_for)})


def make(document, programs, tree):
    """The look-up for a checkout, the content of validusage.json, and coverage_facts programs."""
    result = Lookup(counting.ids_of(document))
    for program in programs:
        result.add_facts(program, mutation.run(program))
    for path in tree.files:
        if path.endswith((".cc", ".h")):
            result.add_source(path, "\n".join(tree.lines(path)), gathering.has_checks(path))
    result.add_delivered(delivered.parse(tree.lines(delivered.GOLDEN)))
    return result
