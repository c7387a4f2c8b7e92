# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The checkout keeps to its layout, and it would be noticed if it did not."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from tools.layout import checkout
from tools.layout import layout
from tools.layout import rooms
from tools.layout import text

SPDX = "# SPDX-FileCopyrightText: The Assay Authors\n# SPDX-License-Identifier: Apache-2.0\n"
HEADER = SPDX.replace("#", "//") + "\n#ifndef ASSAY_STATE_STATE_H_\n#define ASSAY_STATE_STATE_H_\n\n"
ESSAY = "// One.\n// Two.\n//\n// Three.\n"
NAMESPACE = "\nnamespace assay::state {\n}  // namespace assay::state\n"


def architecture(*lines):
    """An ARCHITECTURE.md with a tree of folders."""
    return "# Architecture\n\n## Rooms\n\nThe folders:\n\n```\n%s\n```\n\n## More\n" % "\n".join(lines)


class CheckoutTest(unittest.TestCase):
    """What tests have that look at small checkouts."""

    def checkout(self, files):
        """A checkout without git, of {path: text}."""
        root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, root)
        for path, content in files.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8", newline="") as output:
                output.write(content)
        return checkout.Checkout(root)

    def assert_breaches(self, check, files, expected):
        """Expects these breaches and no others."""
        self.assertEqual(list(check(self.checkout(files))), expected)


class RealCheckoutTest(unittest.TestCase):

    def test_keeps_to_the_layout(self):
        tree = checkout.Checkout(checkout.find_root())
        # Should no files be found, nothing would be wrong.
        self.assertGreaterEqual(set(tree.files), {"ARCHITECTURE.md", "BUILD.bazel", "bazelw", "state/state.h"})
        self.assertGreater(len(tree.files), 500)
        self.assertGreater(len(text.stop_words(tree)[0]), 10)
        found = layout.breaches(checkout.find_root())
        if found:
            self.fail("%d breaches:\n%s" % (len(found), "\n".join(found)))


class FilesTest(CheckoutTest):

    FILES = {
        "state/state.h": "",
        ".ci/run": "",
        ".cache/x.h": "",
        "bazel-out/x.h": "",
        "state/__pycache__/x.pyc": "",
        ".gitignore": "/ignored/\n",
        "ignored/x.h": "",
    }

    def test_search_without_git(self):
        tree = self.checkout(self.FILES)
        os.symlink(tree.root, os.path.join(tree.root, "link"))
        os.symlink(os.path.join(tree.root, "state"), os.path.join(tree.root, "bazel-bin"))
        tree = checkout.Checkout(tree.root)
        self.assertEqual(tree.files, [".ci/run", ".gitignore", "ignored/x.h", "state/state.h"])
        self.assertEqual(tree.folders, {".ci", "ignored", "state"})

    @unittest.skipUnless(shutil.which("git"), "needs git")
    def test_git_knows_what_belongs_to_the_checkout(self):
        tree = self.checkout({**self.FILES, "gone/x.h": ""})
        git = ["git", "-C", tree.root]
        subprocess.run(git + ["init", "--quiet"], check=True)
        subprocess.run(git + ["add", "gone", ".cache"], check=True)
        os.remove(os.path.join(tree.root, "gone/x.h"))
        found = checkout.Checkout(tree.root).files
        self.assertIn(".cache/x.h", found)
        self.assertIn("state/state.h", found)
        self.assertNotIn("ignored/x.h", found)
        self.assertNotIn("gone/x.h", found)

    def test_folders_above_folders(self):
        self.assertEqual(self.checkout({"a/b/c/x.h": ""}).folders, {"a", "a/b", "a/b/c"})

    def test_exception_without_a_reason(self):
        tree = self.checkout({checkout.EXCEPTIONS: "# Head.\n\nstate/: one file per object\nx.cc:\ny.cc\n"})
        self.assertEqual(tree.exceptions, {"state/": "one file per object"})
        self.assertEqual(list(tree.unreadable_exceptions()), [
            'tools/layout/exceptions.txt:4: "x.cc:" is not of the form PATH: REASON.',
            'tools/layout/exceptions.txt:5: "y.cc" is not of the form PATH: REASON.',
        ])


class FullFolderTest(CheckoutTest):

    def sources(self, count, folder="state"):
        """A folder with that many sources, and with files that do not count."""
        names = ["x%d%s" % (i, suffix) for i, suffix in zip(range(count), [".h", ".cc", ".py", ".js", ".bzl"] * count)]
        others = ["x_test.cc", "x_test.h", "x_test.py", "x_fuzz.cc", "x_benchmark.cc", "x.comp", "BUILD.bazel", "x.txt"]
        return {"%s/%s" % (folder, name): "" for name in names + others + ["goldens/%d.js" % i for i in range(26)]}

    def test_as_many_as_allowed(self):
        self.assert_breaches(rooms.full_folders, self.sources(25), [])

    def test_one_too_many(self):
        self.assert_breaches(rooms.full_folders, self.sources(26),
                             ["state/ has 26 source files besides tests, more than 25."])

    def test_test_support_counts(self):
        self.assert_breaches(rooms.full_folders, {**self.sources(25), "state/testing.h": ""},
                             ["state/ has 26 source files besides tests, more than 25."])

    def test_exception(self):
        self.assert_breaches(rooms.full_folders, {**self.sources(26), checkout.EXCEPTIONS: "state/: reason\n"}, [])

    def test_exception_that_is_not_needed(self):
        self.assert_breaches(
            rooms.full_folders, {**self.sources(25), checkout.EXCEPTIONS: "state/: reason\ngone/: reason\n"}, [
                "tools/layout/exceptions.txt: state/ does not need an exception: it has 25 source files.",
                "tools/layout/exceptions.txt: gone/ does not need an exception: it has 0 source files.",
            ])

    def test_too_many_exceptions(self):
        folders = "abcdef"
        for count, expected in [(5, []), (6, ["tools/layout/exceptions.txt: 6 folders are listed, more than 5."])]:
            files = {path: "" for folder in folders[:count] for path in self.sources(26, folder)}
            files[checkout.EXCEPTIONS] = "".join("%s/: reason\n" % folder for folder in folders[:count])
            self.assert_breaches(rooms.full_folders, files, expected)


class TreeOfFoldersTest(CheckoutTest):

    FILES = {"state/image/x.h": "", "state/goldens/x.txt": "", "third_party/a/b/c/x.h": "", "vk/x.h": ""}
    TREE = ["state/  Objects.", "  image/    Images.", "third_party/  Others.", "  a/  A.", "", "vk/  Types."]

    def assert_differences(self, lines, expected, files=None):
        """Expects the tree to have these breaches, which are given without the file's name, on the files."""
        content = {**(files or self.FILES), "ARCHITECTURE.md": architecture(*lines)}
        self.assert_breaches(rooms.tree_differences, content, ["ARCHITECTURE.md:" + sentence for sentence in expected])

    def test_tree_of_what_there_is(self):
        self.assert_differences(self.TREE, [])

    def test_no_tree(self):
        expected = ['ARCHITECTURE.md does not have a fenced block with the tree of folders below "## Rooms".']
        for content in ["", "## Rooms\n", "## Rooms\n\n## More\n\n```\nvk/  Types.\n```\n", "```\n## Rooms\n"]:
            self.assert_breaches(rooms.tree_differences, {"ARCHITECTURE.md": content}, expected)
        self.assert_breaches(rooms.tree_differences, {"x.h": ""}, expected)

    def test_folder_that_is_not_listed(self):
        self.assert_differences(self.TREE[:-1], [" vk/ is not in the tree of folders."])
        self.assert_differences([line for line in self.TREE if "image" not in line],
                                [" state/image/ is not in the tree of folders."])
        self.assert_differences([line for line in self.TREE if "a/" not in line or "image" in line],
                                [" third_party/a/ is not in the tree of folders."])

    def test_folder_that_does_not_exist(self):
        self.assert_differences(self.TREE + ["  gone/  Gone."], ["14: vk/gone/ does not exist."])

    def test_data_may_be_listed(self):
        self.assert_differences(self.TREE[:2] + ["  goldens/  Texts."] + self.TREE[2:], [])

    def test_folder_without_a_description(self):
        self.assert_differences(self.TREE[:-1] + ["vk/"], ["13: vk/ does not have a description."])

    def test_folder_that_is_listed_twice(self):
        self.assert_differences(self.TREE + ["vk/  Types."], ["14: vk/ is listed twice."])

    def test_line_of_another_form(self):
        for line in [" x/  One blank.", "    x/  Two levels.", "x  No slash.", "x/ One blank.", "x/y/  Two names."]:
            self.assert_differences(
                self.TREE + [line],
                ['14: "%s" is not a folder, two spaces and a description, below its parent.' % line.strip()])


class WayInTest(CheckoutTest):

    BUILD = SPDX + "# State; state.h is\n# the way in.\n"

    def assert_ways_in(self, expected, build=BUILD, header=HEADER + ESSAY + NAMESPACE):
        """Expects breaches of a package with this BUILD file and this header."""
        files = {"state/BUILD.bazel": build}
        if header is not None:
            files["state/state.h"] = header
        self.assert_breaches(rooms.ways_in, files, expected)

    def test_package_and_header_with_words(self):
        self.assert_ways_in([])
        self.assert_ways_in([], header=HEADER + '#include "a.h"\n\n' + ESSAY + NAMESPACE)
        self.assert_ways_in([], header=HEADER + ESSAY + '\n#include "a.h"\n')

    def test_package_without_a_comment(self):
        expected = ["state/BUILD.bazel does not say, in a comment from its third line on, what the folder is for."]
        half = SPDX.split("\n", maxsplit=1)[0] + "\n# State.\n# More.\n"
        for build in [SPDX, SPDX + "\n# Of a target.\n", SPDX + "#\n", "", "# State.\n", half]:
            self.assert_ways_in(expected, build)

    def test_others_need_no_comment(self):
        self.assert_breaches(rooms.ways_in, {"third_party/a/BUILD.bazel": "", "third_party/BUILD.bazel": ""}, [])

    def test_no_way_in_is_promised(self):
        self.assert_ways_in([], SPDX + "# State.\n", HEADER + NAMESPACE)

    def test_header_that_is_missing(self):
        self.assert_ways_in(["state/BUILD.bazel calls state/state.h the way in, which does not exist."], header=None)

    def test_header_without_an_essay(self):
        expected = ["state/state.h is the way in but does not have an opening essay before its namespace."]
        for header in [HEADER + NAMESPACE, HEADER + "// One.\n// Two.\n" + NAMESPACE, HEADER + NAMESPACE + ESSAY,
                       SPDX.replace("#", "//") + "// One.\n" + NAMESPACE]:
            self.assert_ways_in(expected, header=header)


class LongFileTest(CheckoutTest):

    def test_longest_that_is_allowed(self):
        self.assert_breaches(text.long_files, {"x.cc": "\n" * 400, "x.txt": "\n" * 401}, [])

    def test_one_line_too_many(self):
        for path in ["x.h", "x.cc", "x_test.py", "x.js", "x.bzl", "x/BUILD.bazel"]:
            self.assert_breaches(text.long_files, {path: "\n" * 401}, [path + " has 401 lines, more than 400."])
            self.assert_breaches(text.long_files, {path: "\n" * 401, checkout.EXCEPTIONS: path + ": reason\n"}, [])

    def test_last_line_without_an_end(self):
        self.assert_breaches(text.long_files, {"x.h": "\n" * 400 + "x"}, ["x.h has 401 lines, more than 400."])

    def test_exception_that_is_not_needed(self):
        files = {"x.cc": "\n" * 400, "x.txt": "\n" * 401, checkout.EXCEPTIONS: "x.cc: a\nx.txt: b\ngone.cc: c\n"}
        self.assert_breaches(text.long_files, files, [
            "tools/layout/exceptions.txt: x.cc does not need an exception.",
            "tools/layout/exceptions.txt: x.txt does not need an exception.",
            "tools/layout/exceptions.txt: gone.cc does not exist.",
        ])


class UntidyLineTest(CheckoutTest):

    def test_width_of_code(self):
        for path in ["x.h", "x.cc", "x.py", "x.bzl", "BUILD.bazel", "x.js", "x.sh", "x.comp", "WORKSPACE"]:
            self.assert_breaches(text.untidy_lines, {path: "é" * 120 + "\n"}, [])
            self.assert_breaches(text.untidy_lines, {path: "\n" + "é" * 121},
                                 [path + ":2 has 121 columns, more than 120."])

    def test_width_of_scripts_without_suffix(self):
        self.assert_breaches(text.untidy_lines, {"run": "#!/bin/sh\n" + "x" * 121, "LICENSE": "x" * 121},
                             ["run:2 has 121 columns, more than 120."])

    def test_width_of_documents(self):
        self.assert_breaches(text.untidy_lines, {"x.md": "é" * 100 + "\n"}, [])
        self.assert_breaches(text.untidy_lines, {"x.md": "é" * 101 + "\n"}, ["x.md:1 has 101 columns, more than 100."])

    def test_what_may_be_wide_in_documents(self):
        word = "x" * 101
        unbreakable = ["| %s |", "[%s](x)", "- [x](%s).", "![%s](x.png)", "[![x](%s)](x)", "[x]: %s", "https://%s"]
        for line in unbreakable + ["```\n%s\n```", "~ [x](x)\n```sh\n%s\n```"]:
            self.assert_breaches(text.untidy_lines, {"x.md": line % word}, [])
        for line in ["[x](x) %s [x](x)", "```\n```\n%s", "    %s"]:
            self.assertEqual(len(list(text.untidy_lines(self.checkout({"x.md": line % word})))), 1, line)

    def test_tabs_and_trailing_blanks(self):
        for path in ["x.h", "x.md", "x.txt"]:
            self.assert_breaches(text.untidy_lines, {path: "a\tb\nc \nd\r\n"},
                                 [path + ":1 has a tab.", path + ":2 ends in blanks.", path + ":3 ends in blanks."])

    def test_goldens_are_as_they_are(self):
        self.assert_breaches(text.untidy_lines, {"a/goldens/x.txt": "\t \n", "x.png": "\t"}, [])


class StopListTest(CheckoutTest):

    def assert_words(self, stop_list, files, expected):
        """Expects what is found with a stop-list of its own in these files."""
        self.assert_breaches(text.words_to_avoid, {text.STOP_LIST: stop_list, **files}, expected)

    def test_word(self):
        self.assert_words("# Head.\n\n\\bDoubts?\\b -- heuristics\n", {
            "a.h": "\nclass Doubt {};\n",
            "b.md": "Doubts.\n",
            "c.cc": "Doubtful doubt\n",
            "run": "#!/bin/sh\n# Doubt\n",
        }, [
            'a.h:2: "Doubt" is on the stop-list: heuristics.',
            'b.md:1: "Doubts" is on the stop-list: heuristics.',
            'run:2: "Doubt" is on the stop-list: heuristics.',
        ])

    def test_lines_stand_for_themselves(self):
        self.assert_words("^a\\sb$ -- c\n", {"x.h": "a\nb\n", "y.h": "x\na b\n"},
                          ['y.h:2: "a b" is on the stop-list: c.'])

    def test_scopes(self):
        files = {"core/x.h": "lane", "core/page/x.js": "lane", "syncval/x.h": "lane", "vk/x.h": "lane"}
        found = '%s:1: "lane" is on the stop-list: queue state.'
        self.assert_words("[core/ syncval/ !core/page/] lane -- queue state\n", files,
                          [found % "core/x.h", found % "syncval/x.h"])
        self.assert_words("[!core/] lane -- queue state\n", files, [found % "syncval/x.h", found % "vk/x.h"])
        self.assert_words("[ln]ane -- queue state\n", {"x.h": "lane"}, [found % "x.h"])

    def test_words_of_others(self):
        files = {"third_party/x.h": "lane", "x/goldens/y.txt": "lane", "tools/layout/layout_test.py": "lane"}
        self.assert_words("lane -- queue state\n", files, [])

    def test_line_of_another_form(self):
        self.assert_words("lane\n( -- x\n", {}, [
            'tools/layout/stop_list.txt:1 does not say after " -- " what to say instead.',
            'tools/layout/stop_list.txt:2: "(" is not a regular expression: '
            "missing ), unterminated subpattern at position 0.",
        ])

    def test_participles_may_follow_has_not(self):
        words, _ = text.stop_words(checkout.Checkout(checkout.find_root()))
        words = [word for word in words if word.advice == '"does not have"']
        for line, is_avoided in [("It has not been", False), ("has not yet waited", False), ("has not begun", False),
                                 ("has not", False), ("has not one", True), ("that it has not.", True)]:
            self.assertEqual(any(word.pattern.search(line) for word in words), is_avoided, line)


if __name__ == "__main__":
    sys.exit(unittest.main())
