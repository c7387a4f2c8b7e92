# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import os
import tempfile
import unittest
import zipfile

from tools.coverage import delivered
from tools.layout import checkout


class DeliveredTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name

    def put(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def put_zip(self, folder, name, text):
        folder = os.path.join(self.root, folder)
        os.makedirs(folder)
        with zipfile.ZipFile(os.path.join(folder, "outputs.zip"), "w") as archive:
            archive.writestr(name, text)

    def test_file(self):
        by_test = {"//b:y_test": {"VUID-c", "VUID-a"}, "//a:x_test": {"VUID-b"}, "//c:z_test": set()}
        text = delivered.text(by_test)
        self.assertTrue(text.endswith("\n//a:x_test\n  VUID-b\n\n//b:y_test\n  VUID-a\n  VUID-c\n"), text)
        self.assertEqual(delivered.parse(text.splitlines()),
                         {"//a:x_test": {"VUID-b"}, "//b:y_test": {"VUID-a", "VUID-c"}})
        self.assertEqual(delivered.text(delivered.parse(text.splitlines())), text)

    def test_collect(self):
        self.put_zip("a/b/x_test/test.outputs", "delivered_ids.txt", "VUID-a\nVUID-b\n")
        self.put_zip("a/y_test/shard_1_of_2/test.outputs", "delivered_ids.txt", "VUID-a\n")
        self.put_zip("a/y_test/shard_2_of_2/test.outputs", "delivered_ids.txt", "VUID-c\n")
        self.put("a/z_test/test.outputs/delivered_ids.txt", "VUID-d\n")
        self.put("a/silent_test/test.outputs/delivered_ids.txt", "")
        self.put_zip("a/other_test/test.outputs", "picture.png", "")
        self.put("a/plain_test/test.log", "")
        self.assertEqual(
            delivered.collect(self.root), {
                "//a/b:x_test": {"VUID-a", "VUID-b"},
                "//a:y_test": {"VUID-a", "VUID-c"},
                "//a:z_test": {"VUID-d"},
                "//a:silent_test": set()
            })

    def test_merge(self):
        self.put("a/BUILD.bazel", 'cc_test(\n    name = "x_test",\n)\ncc_test(\n    name = "y_test",\n)\n')
        tree = checkout.Checkout(self.root)
        old = {"//a:x_test": {"VUID-a"}, "//a:y_test": {"VUID-b"}, "//a:gone_test": {"VUID-c"}}
        new = {"//a:y_test": {"VUID-d"}, "//gone:z_test": {"VUID-e"}}
        self.assertEqual(delivered.merge(old, new, tree), {"//a:x_test": {"VUID-a"}, "//a:y_test": {"VUID-d"}})


if __name__ == "__main__":
    unittest.main()
