# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Shows that negative tests need their checks: takes out the check of an id, and sees whether its test notices.

With --without VUID..., a coverage_facts program tests these ids alone, each with its check taken out.
"""

import os
import subprocess

from tools.coverage import counting

_PASSES = ("tested", "named")


def run(program, *arguments):
    """The output of the program, as counting.read_facts returns it."""
    command = [os.path.abspath(program), *arguments]
    result = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    return counting.read_facts(result.stdout.splitlines())


def sample(ids, count):
    """`count` of the ids, spread evenly over their order. All ids if there are fewer."""
    ids = sorted(ids)
    count = min(count, len(ids))
    return [ids[i * len(ids) // count] for i in range(count)]


def passing(facts):
    return {vuid for status in _PASSES for vuid in facts[status]}


def survivors(program, ids):
    """The ids whose test passes without its check, or does not run."""
    facts = run(program, "--without", *ids)
    printed = {vuid for found in facts.values() for vuid in found}
    return sorted((set(ids) & passing(facts)) | (set(ids) - printed))
