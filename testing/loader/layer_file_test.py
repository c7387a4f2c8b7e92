# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The library exports its one function and nothing else, and needs nothing that a machine with Vulkan may lack."""

import json
import os
import struct
import sys
import unittest

FILES = []


def file_named(suffix):
    return next(path for path in FILES if path.endswith(suffix))


class Elf:
    """The dynamic section of a 64-bit little-endian library; just what the test asks."""

    _DT_NEEDED = 1

    def __init__(self, path):
        with open(path, "rb") as file:
            self._bytes = file.read()
        if self._bytes[:6] != b"\x7fELF\x02\x01":
            raise ValueError(path + " is no 64-bit little-endian ELF file")
        offset, = struct.unpack_from("<Q", self._bytes, 0x28)
        size, count = struct.unpack_from("<HH", self._bytes, 0x3A)
        self._sections = [struct.unpack_from("<IIQQQQIIQQ", self._bytes, offset + i * size) for i in range(count)]

    def _section(self, kind):
        return next(section for section in self._sections if section[1] == kind)

    def _string(self, table, offset):
        begin = self._sections[table][4] + offset
        return self._bytes[begin:self._bytes.index(b"\0", begin)].decode()

    def exports(self):
        """The names of defined global and weak symbols."""
        section = self._section(11)
        for at in range(section[4], section[4] + section[5], 24):
            name, info, _, index = struct.unpack_from("<IBBH", self._bytes, at)
            if index != 0 and info >> 4 in (1, 2):
                yield self._string(section[6], name)

    def needed(self):
        """The libraries that it is linked with."""
        section = self._section(6)
        for at in range(section[4], section[4] + section[5], 16):
            tag, value = struct.unpack_from("<qQ", self._bytes, at)
            if tag == self._DT_NEEDED:
                yield self._string(section[6], value)


class LayerFileTest(unittest.TestCase):

    def test_one_export(self):
        self.assertEqual(list(Elf(file_named(".so")).exports()), ["vkNegotiateLoaderLayerInterfaceVersion"])

    def test_needs_the_c_library_alone(self):
        libraries = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2"}
        self.assertLessEqual(set(Elf(file_named(".so")).needed()), libraries)

    def test_manifest_leads_to_it(self):
        with open(file_named(".json"), encoding="utf-8") as text:
            layer = json.load(text)["layer"]
        self.assertEqual(layer["library_path"], "./" + os.path.basename(file_named(".so")))


if __name__ == "__main__":
    FILES = sys.argv[1:]
    sys.exit(unittest.main(argv=sys.argv[:1]))
