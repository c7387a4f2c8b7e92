# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""fetch.py keeps downloads by content, downloads each file once, and refuses a file that is not the pinned one."""

import os
import tempfile
import unittest

import apt
import fetch


class FakeSuite:
    """Stands in for apt. Counts the downloads. Each of them leaves one file with the given content."""

    def __init__(self, content):
        self.content = content
        self.downloads = 0

    def run(self, *command, cwd):
        self.downloads += 1
        self.asked = command[:-1]
        with open(os.path.join(cwd, "package_1_amd64.deb"), "w", encoding="utf-8") as output:
            output.write(self.content)

    def with_fresh_lists_if_needed(self, action):
        return action()

    def ensure_lists(self, refresh):
        self.refreshed = refresh


class CacheTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.cache = fetch.Cache(folder.name)
        self.cache.suite = FakeSuite("content")
        self.pin = "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"

    def test_pinned_file_is_downloaded_once(self):
        for _ in range(2):
            path = self.cache.pinned(self.pin, "package", "apt-get", "download", "package")
            self.assertEqual(fetch.sha256_of(path), self.pin)
        self.assertEqual(self.cache.suite.downloads, 1)

    def test_file_that_is_not_the_pinned_one_is_refused_and_named(self):
        with self.assertRaisesRegex(apt.AptError, self.pin + "  package_1_amd64.deb"):
            self.cache.pinned("0" * 64, "package", "apt-get", "download", "package")

    def test_selection_is_recorded(self):
        for content in ("content", "newer content"):
            self.cache.suite.content = content
            self.assertEqual(self.cache.selection(["package"], "", "apt-get", "download"),
                             [("package_1_amd64.deb", self.pin)])
        self.assertEqual(self.cache.suite.downloads, 1)

    def test_selection_is_made_anew_when_asked_to(self):
        self.cache.selection(["package"], "", "apt-get", "download")
        self.cache.suite.content = "newer content"
        ((_, sha256),) = self.cache.selection(["package"], "1", "apt-get", "download")
        self.assertNotEqual(sha256, self.pin)

    def test_selection_with_a_pinned_package_has_that_one(self):
        pinned = "package=" + self.pin
        self.assertEqual(self.cache.selection([pinned, "other"], "", "apt-get", "install"),
                         [("package_1_amd64.deb", self.pin)])
        self.assertEqual(self.cache.suite.asked, ("apt-get", "install", "package", "other"))

    def test_selection_without_its_pinned_package_is_refused_and_not_recorded(self):
        for _ in range(2):
            with self.assertRaisesRegex(apt.AptError, self.pin + "  package_1_amd64.deb"):
                self.cache.selection(["package=" + "0" * 64], "", "apt-get", "install")
        self.assertEqual(self.cache.suite.downloads, 2)


if __name__ == "__main__":
    unittest.main()
