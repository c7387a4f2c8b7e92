# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""What changed in a small checkout, which is made for each test."""

import os
import shutil
import subprocess
import tempfile
import unittest

from tools.tidy import changes

_DAY = 24 * 60 * 60
_START = 1700000000


@unittest.skipUnless(shutil.which("git"), "needs git")
class ChangesTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.git("init", "--quiet")

    def git(self, *arguments, time=_START):
        """Runs git at a time."""
        date = "%d +0000" % time
        environment = dict(os.environ, GIT_COMMITTER_DATE=date, GIT_AUTHOR_DATE=date, GIT_CONFIG_GLOBAL="/dev/null",
                           GIT_CONFIG_SYSTEM="/dev/null")
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", *arguments], check=True, cwd=self.root,
                       env=environment)

    def write(self, files):
        """Writes {path: text}."""
        for path, text in files.items():
            full = os.path.join(self.root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as output:
                output.write(text)

    def commit(self, time, files):
        """Writes {path: text} and commits everything."""
        self.write(files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message=m", time=time)

    def test_since_a_revision(self):
        self.commit(_START, {"kept.cc": "", "a/changed.cc": "", "moved.cc": "text", "gone.cc": ""})
        self.commit(_START, {".gitignore": "/ignored/\n"})
        self.commit(_START, {"a/changed.cc": "2"})
        self.git("mv", "moved.cc", "elsewhere.cc")
        self.git("rm", "--quiet", "gone.cc")
        self.write({"new.h": "", "ignored/x.h": ""})
        self.assertEqual(changes.since(self.root, "HEAD"), ["new.h"])
        self.assertEqual(changes.since(self.root, "HEAD~1"), ["a/changed.cc", "new.h"])

    def test_last_day_ends_with_head(self):
        self.commit(_START - _DAY - 1, {"old.cc": "1"})
        self.commit(_START - _DAY + 1, {"early.cc": "1", "both.cc": "1"})
        self.commit(_START, {"both.cc": "2", "late.cc": "1"})
        self.assertEqual(changes.on_last_day(self.root), ["both.cc", "late.cc", "early.cc"])

    def test_file_that_was_changed_and_then_moved(self):
        self.commit(_START - _DAY - 1, {"same.cc": "not changed at all", "changed.cc": "1\n2\n3\n"})
        self.commit(_START - 1, {"changed.cc": "1\n2\n3\n4\n"})
        self.git("mv", "changed.cc", "moved.cc")
        self.git("mv", "same.cc", "also.cc")
        self.commit(_START, {})
        self.assertEqual(changes.on_last_day(self.root), ["moved.cc"])


if __name__ == "__main__":
    unittest.main()
