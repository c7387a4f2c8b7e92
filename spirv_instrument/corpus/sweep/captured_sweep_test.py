# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Every pass over the modules that other projects' programs hand to the driver."""

import argparse
import re
import subprocess
import sys
import tempfile
import unittest

from spirv_instrument.corpus.capture import captured_programs

OPTIONS = None


class CapturedSweepTest(unittest.TestCase):

    def test_programs(self):
        for name in captured_programs.PROGRAMS:
            with self.subTest(program=name), tempfile.TemporaryDirectory() as folder:
                modules = captured_programs.capture(OPTIONS.run, OPTIONS.layer, name, folder)
                self.assertTrue(modules)
                sweep = subprocess.run([OPTIONS.sweep, folder], stdout=subprocess.PIPE, text=True, check=False)
                last = sweep.stdout.strip().rpartition("\n")[2]
                print("%s: %s" % (name, last))
                self.assertEqual(sweep.returncode, 0, sweep.stdout)
                self.assertRegex(last, r"^%d modules, \d+ runs, 0 failures$" % len(modules))
                self.assertTrue(re.search(r"[1-9]\d* emitted", sweep.stdout), sweep.stdout)


if __name__ == "__main__":
    PARSER = argparse.ArgumentParser()
    PARSER.add_argument("--run", required=True)
    PARSER.add_argument("--sweep", required=True)
    PARSER.add_argument("--layer", nargs="+", required=True)
    OPTIONS, REST = PARSER.parse_known_args()
    sys.exit(unittest.main(argv=sys.argv[:1] + REST))
