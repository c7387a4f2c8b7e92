# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""bazel run //tools/format: formats every .cc and .h of the checkout in place, and says which ones changed."""

import os
import sys

from tools.format import formatting
from tools.format import sources
from tools.layout import checkout


def main():
    clang_format = formatting.ClangFormat(os.path.abspath(sys.argv[1]), checkout.find_root())
    files = sources.cpp_files()
    changed = clang_format.unformatted(files)
    unstable = clang_format.rewrite(changed)
    print("".join(path + "\n" for path in changed), end="")
    print("%d of %d files were formatted anew." % (len(changed), len(files)))
    for path in unstable:
        print("%s: clang-format changes it each time; write it in another way." % path)
    return 1 if unstable else 0


if __name__ == "__main__":
    sys.exit(main())
