# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Shader modules that a run found valid cost the next run next to nothing.

Prints the times of a program that makes 300 pipelines: without a layer, and twice with it.
"""

import argparse
import os
import re
import sys
import tempfile
import unittest

from testing import vulkan_program

OPTIONS = None


def times(layer, cache, caches=True):
    """Runs the program. Returns {"modules": microseconds, "pipelines": microseconds}."""
    settings = {"assay.validate_sync": "false", "assay.check_shaders_caching": "true" if caches else "false"}
    program = vulkan_program.VulkanProgram(OPTIONS.run, OPTIONS.driver, layer, settings)
    program.variables["XDG_CACHE_HOME"] = cache
    status, output = program.run([OPTIONS.binary, "1"])
    result = {what: float(number) for what, number in re.findall(r"^(\w+) (\d+) us$", output, re.MULTILINE)}
    if status != 0 or set(result) != {"modules", "pipelines"}:
        raise AssertionError("%s\nThe program failed (%d)." % (output, status))
    return result


class CacheBetweenRunsTest(unittest.TestCase):

    def test_the_second_run_validates_nothing(self):
        with tempfile.TemporaryDirectory() as cache:
            without = times([], cache)
            first, second = [times(OPTIONS.layer, cache) for _ in range(2)]
            self.assertTrue(os.path.isdir(os.path.join(cache, "assay", "shaders")))
        print("without a layer %s\nfirst run %s\nsecond run %s" % (without, first, second), flush=True)
        added = [run["modules"] - without["modules"] for run in (first, second)]
        self.assertLess(added[1], added[0] / 10)

    def test_without_the_cache_each_run_validates(self):
        with tempfile.TemporaryDirectory() as cache:
            first, second = [times(OPTIONS.layer, cache, caches=False) for _ in range(2)]
            self.assertFalse(os.path.isdir(os.path.join(cache, "assay", "shaders")))
        self.assertGreater(second["modules"], first["modules"] / 10)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--run", required=True)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--driver", required=True, nargs="+")
    parser.add_argument("--layer", required=True, nargs="+")
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=sys.argv[:1] + rest)
