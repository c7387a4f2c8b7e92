# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import unittest

from registry import vuids


class TextTest(unittest.TestCase):
    def test_tags_are_dropped(self):
        self.assertEqual(
            vuids.html_to_text('<code>size</code> <strong class="purple">must</strong> be a <a href="#VkX">VkX</a>\n  '
                               'value'),
            "size must be a VkX value")

    def test_entities(self):
        self.assertEqual(vuids.html_to_text("a &gt; b &amp;&amp; c&#8217;s &lt;tag&gt;"), "a > b && c\u2019s <tag>")

    def test_less_than_is_no_tag(self):
        self.assertEqual(vuids.html_to_text("a < b and c > d"), "a < b and c > d")

    def test_lists(self):
        self.assertEqual(vuids.html_to_text("either:<div><ul><li><p>one</p></li><li><p>two</p></li></ul></div>"),
                         "either: - one - two")

    def test_power(self):
        self.assertEqual(vuids.html_to_text("2<sup>32</sup>-1"), "2^32-1")

    def test_formulas(self):
        self.assertEqual(vuids.html_to_text(r"equal to \(\left\lceil{\frac{a_{x}+b}{c_{width}}}\right\rceil\)"),
                         "equal to ceil((a_x+b) / c_width)")
        self.assertEqual(vuids.latex_to_text(r"\lceil{\mathit{samples} \over 32}\rceil"), "ceil(samples / 32)")
        self.assertEqual(vuids.latex_to_text(r"\textrm{codeSize} \over 4"), "codeSize / 4")
        self.assertEqual(vuids.latex_to_text(r"2 \times \mathtt{VK\_UUID\_SIZE}"), "2 * VK_UUID_SIZE")


class DocumentTest(unittest.TestCase):
    @staticmethod
    def parse(*ids):
        entries = [{"vuid": i, "text": f"text of {i}", "page": "p.html"} for i in ids]
        return vuids.parse_document({"validation": {"vkA": {"core": entries}, "vkB": {"core": entries[:1]}}})

    def test_duplicates_appear_once_and_in_the_order_of_hashes(self):
        parsed = self.parse("VUID-b", "VUID-a", "VUID-b")
        self.assertEqual(sorted(v.id for v in parsed), ["VUID-a", "VUID-b"])
        hashes = [vuids.fnv1a(v.id) for v in parsed]
        self.assertEqual(hashes, sorted(hashes))

    def test_hash(self):
        self.assertEqual(vuids.fnv1a(""), 0xCBF29CE484222325)
        self.assertEqual(vuids.fnv1a("a"), 0xAF63DC4C8601EC8C)


if __name__ == "__main__":
    unittest.main()
