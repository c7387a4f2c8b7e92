# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Running a compiler over many shaders, with a script in the compiler's place."""

import os
import tempfile
import unittest

from spirv_instrument.corpus import glslang

# Fails for sources that begin with "bad", writes nothing for "silent", and otherwise the options.
COMPILER = """#!/bin/sh
shift
options=
while [ "$1" != -o ]; do options="$options $1"; shift; done
case $3 in
  bad*) echo "ERROR: $3"; exit 2 ;;
  silent*) ;;
  *) echo "$options" >"$2" ;;
esac
"""


class CompileAllTest(unittest.TestCase):

    def compile(self, *sources):
        """Compiles sources with a fake compiler. Returns the results and the folder."""
        folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        compiler = os.path.join(folder, "compiler")
        with open(compiler, "w", encoding="utf-8") as script:
            script.write(COMPILER)
        os.chmod(compiler, 0o755)
        jobs = [glslang.Job(source, source + ".spv", ["-g", source.upper()]) for source in sources]
        return glslang.compile_all(compiler, folder, jobs), folder

    def test_results_are_in_the_order_of_the_jobs(self):
        names = ["s%d.comp" % i for i in range(50)]
        results, folder = self.compile(*names)
        self.assertEqual([result.job.source for result in results], names)
        self.assertEqual({result.message for result in results}, {""})
        with open(os.path.join(folder, "s7.comp.spv"), encoding="utf-8") as output:
            self.assertEqual(output.read(), " -g S7.COMP\n")

    def test_failure_has_what_the_compiler_said(self):
        results, _ = self.compile("good.comp", "bad.comp")
        self.assertEqual([result.message for result in results], ["", "ERROR: bad.comp\n"])

    def test_no_output_is_a_failure(self):
        results, _ = self.compile("silent.comp")
        self.assertEqual(results[0].message, "glslang wrote no module")


if __name__ == "__main__":
    unittest.main()
