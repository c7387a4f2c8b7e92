# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Which sources clang-tidy has to read to see certain files. It sees a header through a source that includes it."""

import re

_INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


class Includes:
    """Who includes whom among the files of a checkout, given by name; read(name) returns a file's text."""

    def __init__(self, names, read):
        self._names = sorted(names)
        self._read = read
        self._includers = None

    def source_for(self, name):
        """Returns the source to read in order to see a file, or None.

        That is a source itself; of a header the source with the same stem or, lacking one, the first that includes it,
        directly if one does.
        """
        if not name.endswith(".h"):
            return name
        own = name[:-len("h")] + "cc"
        if own in self._names:
            return own
        headers, seen = [name], {name}
        while headers:
            includers = sorted({includer for header in headers for includer in self._includers_of(header)} - seen)
            sources = [includer for includer in includers if not includer.endswith(".h")]
            if sources:
                return sources[0]
            seen.update(includers)
            headers = includers
        return None

    def _includers_of(self, header):
        if self._includers is None:
            self._includers = {}
            for name in self._names:
                for included in _INCLUDE.findall(self._read(name)):
                    self._includers.setdefault(included, []).append(name)
        return self._includers.get(header, [])
