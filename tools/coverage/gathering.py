# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Collects the inputs of counting: the registry's rules, the output of programs, and the sources of a checkout."""

import json
import re

from tools.coverage import counting
from tools.coverage import delivered
from tools.coverage import mutation

# The packages with checks.
_PACKAGES = ("core", "dispatch", "gpuav", "object_lifetimes", "stateless", "syncval", "thread_safety")
_TESTS = re.compile(r"/(test_cases|testing|fixture)/|_test\.(cc|h)$")


def read_document(path):
    """The content of validusage.json."""
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def has_checks(path):
    """Whether a file of the checkout is a C++ source of a package with checks, and no test."""
    is_source = path.endswith((".cc", ".h")) and path.split("/", 1)[0] in _PACKAGES
    return is_source and not _TESTS.search(path)


def gather(document, programs, tree):
    """The coverage, from what the programs print and from the files of the checkout."""
    coverage = counting.Coverage(counting.ids_of(document))
    for program in programs:
        coverage.add_facts(mutation.run(program))
    for path in filter(has_checks, tree.files):
        coverage.add_source("\n".join(tree.lines(path)))
    for ids in delivered.parse(tree.lines(delivered.GOLDEN)).values():
        coverage.add_delivered(ids)
    return coverage
