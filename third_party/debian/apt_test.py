# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""apt.py reads the machine's apt configuration in both of its forms, and chooses the right entry."""

import unittest

import apt

DEB822 = """\
# The distribution's own archive.
Types: deb deb-src
URIs: http://archive.example/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Enabled: no
Types: deb
URIs: http://disabled.example/debian
Suites: bookworm
Components: main

Types: deb
URIs: http://vendor.example/apt
Suites: bookworm
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 mQINBF
 -----END PGP PUBLIC KEY BLOCK-----
"""

ONE_LINE = """\
# deb http://commented.example/debian bookworm main
deb [arch=amd64 signed-by=/a.gpg,/b.gpg] http://archive.example/debian bookworm main contrib # why
deb-src http://archive.example/debian bookworm main
deb http://archive.example/debian-security bookworm-security main
"""


class ParseTest(unittest.TestCase):

    def test_deb822_entries_that_are_enabled(self):
        entries = list(apt.parse_deb822(DEB822))
        self.assertEqual([entry.uris for entry in entries],
                         ["http://archive.example/debian", "http://vendor.example/apt"])
        self.assertEqual(entries[0].suites, ["bookworm", "bookworm-updates"])
        self.assertEqual(entries[0].components, ["main", "contrib"])

    def test_deb822_key_given_in_place_keeps_its_lines(self):
        vendor = list(apt.parse_deb822(DEB822))[1]
        self.assertIn("\n .\n mQINBF\n", vendor.text("trixie"))

    def test_one_line_entries(self):
        entries = list(apt.parse_one_line(ONE_LINE))
        self.assertEqual([entry.suites for entry in entries], [["bookworm"], ["bookworm-security"]])
        self.assertEqual(entries[0].signed_by, "/a.gpg /b.gpg")
        self.assertEqual(entries[0].components, ["main", "contrib"])


class EntryTest(unittest.TestCase):

    def test_debians_own_archive_is_likelier_than_a_vendors(self):
        debian, vendor = apt.parse_deb822(DEB822)
        self.assertGreater(debian.likelihood(), vendor.likelihood())

    def test_text_names_the_wanted_suite_alone(self):
        debian = next(apt.parse_deb822(DEB822))
        self.assertIn("\nSuites: trixie\nComponents: main\n", debian.text("trixie"))
        self.assertNotIn("bookworm", debian.text("trixie"))

    def test_entry_without_key_uses_the_machines_trusted_ones(self):
        self.assertNotIn("Signed-By", apt.Entry("http://archive.example/debian", [], [], "").text("trixie"))


if __name__ == "__main__":
    unittest.main()
