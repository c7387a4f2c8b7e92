# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Which environment a shader is compiled for, with scripts in the places of compiler and validator."""

import os
import tempfile
import unittest

from spirv_instrument.corpus.glslang_tests import compile_tests

# Writes its options. Refuses vulkan1.0 for what begins with "new", and everything for what begins with "bad".
COMPILER = """#!/bin/sh
shift
options=
while [ "$1" != -o ]; do options="$options $1"; shift; done
case "$3$options" in
  bad*|new*vulkan1.0*) echo "ERROR: no"; exit 2 ;;
esac
echo "$options" >"$2"
"""

# Does not accept what says vulkan1.0 or vulkan1.1 and is called strict.
VALIDATOR = """#!/bin/sh
for file; do
  case "$file$(cat "$file")" in
    strict*vulkan1.[01]*) echo "$file: not so" >&2 ;;
    *) echo "$file" ;;
  esac
done
"""


class CompileTestsTest(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.out = os.path.join(self.folder, "out")
        os.mkdir(self.out)

    def script(self, name, text):
        """Makes an executable file."""
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as script:
            script.write(text)
        os.chmod(path, 0o755)
        return path

    def compile(self, *sources, entry_points=None):
        """What is left out, with the reasons."""
        return compile_tests.compile_tests(self.script("compiler", COMPILER), self.script("validator", VALIDATOR),
                                           self.folder, sources, entry_points or {}, self.out)

    def options(self, source):
        """What the module of a source was compiled with."""
        with open(os.path.join(self.out, source + ".spv"), encoding="utf-8") as module:
            return module.read()

    def test_first_environment_that_works(self):
        self.assertEqual(self.compile("old.comp", "new.comp", "strict.comp"), {})
        self.assertIn("vulkan1.0", self.options("old.comp"))
        self.assertIn("vulkan1.1", self.options("new.comp"))
        self.assertNotIn("spirv1.4", self.options("new.comp"))
        self.assertIn("vulkan1.2", self.options("strict.comp"))

    def test_hlsl_has_entry_points(self):
        entry_points = compile_tests.read_entry_points("""
            INSTANTIATE_TEST_SUITE_P(ToSpirv, HlslCompileTest, ::testing::ValuesIn(std::vector<FileNameEntryPointPair>{
                {"hlsl.a.frag", "PixelShader"}, {"hlsl.b.frag", "main"},
        """)
        self.assertEqual(entry_points, {"hlsl.a.frag": "PixelShader", "hlsl.b.frag": "main"})
        self.assertEqual(self.compile("hlsl.a.frag", "old.frag", entry_points=entry_points), {})
        self.assertIn("-D -e PixelShader", self.options("hlsl.a.frag"))
        self.assertNotIn("-D", self.options("old.frag"))

    def test_what_works_in_none_is_left_out(self):
        self.assertEqual(self.compile("bad.comp", "old.comp"), {"bad.comp": "ERROR: no\n"})
        self.assertEqual(os.listdir(self.out), ["old.comp.spv"])


if __name__ == "__main__":
    unittest.main()
