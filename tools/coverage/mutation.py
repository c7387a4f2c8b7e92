# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Shows that negative tests need their checks: takes the check of an id out and sees whether its test notices.

With --without VUID..., a coverage_facts program tests these ids alone, each with its check taken out.
"""

import os
import subprocess

from tools.coverage import counting

_PASSES = ("tested", "named")


def run(program, *arguments):
    """What the program prints, as counting.read_facts gives it."""
    command = [os.path.abspath(program), *arguments]
    result = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    return counting.read_facts(result.stdout.splitlines())


def sample(ids, count):
    """count of the ids, or all where there are fewer, evenly spread over their order."""
    ids = sorted(ids)
    count = min(count, len(ids))
    return [ids[i * len(ids) // count] for i in range(count)]


def passing(facts):
    return {vuid for status in _PASSES for vuid in facts[status]}


def survivors(program, ids):
    """Those of the ids whose test passes though its check is not there, or does not run."""
    facts = run(program, "--without", *ids)
    printed = {vuid for found in facts.values() for vuid in found}
    return sorted((set(ids) & passing(facts)) | (set(ids) - printed))
