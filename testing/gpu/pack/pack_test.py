# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The archive is small enough, and runs where nothing is but a driver: lavapipe, of the pinned packages."""

import os
import re
import subprocess
import sys
import tarfile
import unittest

MAX_BYTES = 60 << 20


class PackTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.folder = os.path.join(os.environ["TEST_TMPDIR"], "pack")
        with tarfile.open(ARCHIVE) as archive:
            archive.extractall(cls.folder)
        with open(RUNTIME, encoding="utf-8") as text:
            cls.tree = re.search(r"^tree='(.*)'$", text.read(), re.MULTILINE).group(1)

    def run_script(self, driver, arguments):
        """Runs run.sh in an empty folder. Returns (exit status, output)."""
        empty = os.path.join(os.environ["TEST_TMPDIR"], "empty")
        os.makedirs(empty, exist_ok=True)
        environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": empty,
            "TMPDIR": empty,
            "VK_DRIVER_FILES": driver,
            "PACK_LIBRARIES": self.tree + "/usr/lib/x86_64-linux-gnu",
        }
        done = subprocess.run([self.folder + "/run.sh", *arguments],
                              env=environment,
                              cwd=empty,
                              check=False,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        output = done.stdout.decode("utf-8", "replace")
        print(output)
        self.assertEqual(os.listdir(empty), [], "something was left behind")
        return done.returncode, output

    def test_is_small(self):
        size = os.path.getsize(ARCHIVE)
        print("%.1f MiB" % (size / 2**20))
        self.assertLess(size, MAX_BYTES)

    def test_runs_on_lavapipe(self):
        status, output = self.run_script(self.tree + "/assay/lvp_icd.json",
                                         ["--short", "gpuav", "print", "corpus", "plain", "cost", "load"])
        self.assertEqual(status, 0)
        passed, failed = re.search(r"^(\d+) passed, (\d+) failed\n\Z", output, re.MULTILINE).groups()
        # Each part has one at least, and some have more.
        self.assertGreater(int(passed), 12)
        self.assertEqual(failed, "0")
        row = re.search(r"^\| axpy \| us \| (\S+) \| (\S+) \| (\S+) \|", output, re.MULTILINE)
        self.assertTrue(all(float(value) > 0 for value in row.groups()))

    def test_instrumented_programs_start(self):
        _, output = self.run_script(self.tree + "/assay/lvp_icd.json", ["--short", "instrumented"])
        # What is right or wrong with these, run_instrumented_test says.
        self.assertRegex(output, r"(?m)^[1-9]\d* programs, .* [1-9]\d* runs, \d+ failures$")

    def test_fails_without_driver(self):
        status, output = self.run_script("/nonexistent.json", ["--short", "gpuav", "print", "corpus", "plain"])
        self.assertEqual(status, 1)
        passed, failed = re.search(r"^(\d+) passed, (\d+) failed\n\Z", output, re.MULTILINE).groups()
        self.assertEqual(passed, "0")
        self.assertGreaterEqual(int(failed), 4)

    def test_fails_for_a_part_that_is_not_there(self):
        status, output = self.run_script("/nonexistent.json", ["all"])
        self.assertEqual(status, 1)
        self.assertIn("There is no part all.", output)


if __name__ == "__main__":
    ARCHIVE, RUNTIME = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
