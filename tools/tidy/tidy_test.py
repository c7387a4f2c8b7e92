# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The checks of .clang-tidy work, and no source of the checkout silences all of them."""

import os
import subprocess
import sys
import tempfile
import unittest

from tools.format import sources
from tools.layout import checkout
from tools.tidy import findings

SCRIPT = os.path.abspath(sys.argv.pop())
CONFIGURATION = os.path.join(checkout.find_root(), ".clang-tidy")

BREACHES = """\
#include "breach.h"
#include <string>
#include <utility>
int* Null() { return 0; }
std::string Moved(std::string text) {
  std::string other = std::move(text);
  return other + text;
}
int Size(const std::string& text) { return text.size() == 0 ? 1 : 2; }
int Silenced(const std::string& text) { return text.size() == 0 ? 1 : 2; }  // NOLINT(readability-container-size-empty)
"""

HEADER = """\
#include <string>
#include <vector>
inline unsigned long Length(const std::vector<std::string>& texts) {
  unsigned long length = 0;
  for (const std::string text : texts) length += text.size();
  return length;
}
"""


class ConfigurationTest(unittest.TestCase):

    def clang_tidy(self, *arguments):
        """Runs clang-tidy with the checkout's configuration and returns what it printed."""
        return subprocess.run([SCRIPT, "clang-tidy", "--config-file=" + CONFIGURATION, *arguments], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def test_checks_and_options_exist(self):
        verified = self.clang_tidy("--verify-config")
        self.assertEqual(verified.returncode, 0, verified.stdout)
        self.assertIn("No config errors detected.", verified.stdout)

    def test_breaches_are_found_in_sources_and_headers(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in ("breach.cc", BREACHES), ("breach.h", HEADER):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as output:
                    output.write(text)
            done = self.clang_tidy(os.path.join(folder, "breach.cc"), "--", "-std=c++20", "-iquote", folder)
            found = [(finding.file, finding.line, finding.check) for finding in findings.parse(done.stdout, folder)]
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(sorted(found), [
            ("breach.cc", 4, "modernize-use-nullptr"),
            ("breach.cc", 7, "bugprone-use-after-move"),
            ("breach.cc", 9, "readability-container-size-empty"),
            ("breach.h", 5, "performance-for-range-copy"),
        ])


class SilencingTest(unittest.TestCase):

    def test_each_silenced_check_is_named(self):
        files = sources.cpp_files()
        # Should no files be found, nothing would be wrong.
        self.assertIn("messages/messages.h", files)
        for path in files:
            with open(os.path.join(checkout.find_root(), path), encoding="utf-8") as text:
                lines = findings.blanket_silencing(text.read())
            self.assertEqual(lines, [], "%s has a NOLINT without the names of its checks on these lines" % path)


if __name__ == "__main__":
    sys.exit(unittest.main())
