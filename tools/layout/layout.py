# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""bazel run //tools/layout: prints every breach of the tree's layout, a sentence each, and fails if there is one.

    rooms.py          how many sources a folder holds, the tree of ARCHITECTURE.md, the way into each package
    text.py           lengths of files, widths of lines, words to avoid
    exceptions.txt    files and folders that may be larger, with reasons
    stop_list.txt     words to avoid, with what to say instead
"""

import sys

from tools.layout import checkout
from tools.layout import rooms
from tools.layout import text


def breaches(root):
    """One sentence for each breach in a checkout."""
    tree = checkout.Checkout(root)
    return [*tree.unreadable_exceptions(), *rooms.breaches(tree), *text.breaches(tree)]


def main():
    """Prints the breaches of this checkout."""
    found = breaches(checkout.find_root())
    for sentence in found:
        print(sentence)
    print("%d breaches." % len(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
