# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Collects the inputs of counting: the registry's rules, the output of programs, and the sources of a checkout."""

import json
import pathlib

from tools.coverage import counting
from tools.coverage import mutation


def read_document(path):
    """The content of validusage.json."""
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def sources(checkout):
    """(name, text) of each C++ source."""
    for folder in sorted(pathlib.Path(checkout).glob("[a-z]*/")):
        # Bazel's links to its outputs.
        if folder.name.startswith("bazel-"):
            continue
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".cc", ".h"):
                yield path.name, path.read_text(encoding="utf-8")


def gather(document, programs, checkout):
    """The coverage, from the facts that the programs print and from the sources of the checkout."""
    coverage = counting.Coverage(counting.ids_of(document))
    for program in programs:
        coverage.add_facts(mutation.run(program))
    for name, text in sources(checkout):
        coverage.add_source(name, text)
    return coverage
