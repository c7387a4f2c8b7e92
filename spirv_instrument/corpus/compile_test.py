# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The directive `compile`, and the sources that the families bring."""

import unittest

from spirv_instrument.corpus import compile as compile_corpus
from spirv_instrument.corpus.families import families


class OptionsTest(unittest.TestCase):

    def assert_options(self, directive, expected):
        """Expects a source with this directive to be compiled with these options."""
        text = "#version 460\n// What for.\n%s\nvoid main() {}\n" % directive
        self.assertEqual(compile_corpus.options_of(text), expected)

    def test_defaults(self):
        self.assert_options("//@ dispatch 1", ["-g", "--target-env", "vulkan1.3"])

    def test_debug_information(self):
        self.assert_options("//@ compile -gVS", ["-gVS", "--target-env", "vulkan1.3"])

    def test_without_debug_information(self):
        self.assert_options("//@ compile -g0", ["--target-env", "vulkan1.3"])

    def test_environment(self):
        self.assert_options("//@ compile --target-env vulkan1.0", ["--target-env", "vulkan1.0", "-g"])


class FamiliesTest(unittest.TestCase):

    def test_names_differ(self):
        names = [name for name, _ in families.all_shaders()]
        self.assertEqual(len(names), len(set(names)))
        self.assertGreater(len(names), 400)

    def test_same_text_each_time(self):
        self.assertEqual(list(families.all_shaders()), list(families.all_shaders()))

    def test_no_two_are_the_same(self):
        """Shaders whose contents and numbers alone differ are two inputs of one."""
        names = {}
        for name, text in families.all_shaders():
            kept = [line for line in text.splitlines() if line.startswith(("//@ bind", "//@ compile", "//@ prints")) or
                    not line.startswith("//")]
            names.setdefault("\n".join(kept), []).append(name)
        self.assertEqual([same for same in names.values() if len(same) > 1], [])

    def test_many_differ_in_code(self):
        codes = {"\n".join(line for line in text.splitlines() if not line.startswith("//"))
                 for _, text in families.all_shaders()}
        self.assertGreater(len(codes), 350)


if __name__ == "__main__":
    unittest.main()
