# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Files: how many lines a source has, how wide lines are, and which words code and documents avoid."""

import collections
import os
import re

from tools.layout import checkout

MAX_LINES = 400
MAX_CODE_COLUMNS = 120
MAX_MARKDOWN_COLUMNS = 100

STOP_LIST = "tools/layout/stop_list.txt"

_SOURCE = re.compile(r"\.(h|cc|py|js|bzl)$|BUILD\.bazel$")
_CODE = re.compile(r"\.(h|cc|py|js|bzl|bazel|sh|comp|frag|vert)$|(^|/)WORKSPACE$")
_OTHER_TEXT = re.compile(r"\.(txt|css|html|json|tpl|lds)$")
_GOLDEN = re.compile(r"(^|/)goldens/")

# A Markdown line that is one link, one image or one address, which cannot be broken.
_LINK = re.compile(
    r"\s*([-*] )?(!?\[[^\]]*\]\([^)]*\)|\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)|\[[^\]]+\]: \S+|<?https?://\S+)[.,;:]?")

# Where stop words are quoted, or written by others.
_WORDS_OF_OTHERS = re.compile(
    r"^third_party/|^tools/coverage/\w+_ids\.txt$|^tools/layout/(stop_list\.txt$|.*_test\.py$)")
_SCOPE = re.compile(r"\[([\w./! -]+)\] (.*)")


def is_script(tree, path):
    """Whether a file without a suffix is one to be executed."""
    return "." not in os.path.basename(path) and any(line.startswith("#!") for line in tree.lines(path)[:1])


def texts(tree):
    """(path, most columns or None) for all code and documents."""
    for path in tree.files:
        if _GOLDEN.search(path):
            continue
        if path.endswith(".md"):
            yield path, MAX_MARKDOWN_COLUMNS
        elif _CODE.search(path) or is_script(tree, path):
            yield path, MAX_CODE_COLUMNS
        elif _OTHER_TEXT.search(path):
            yield path, None


def long_files(tree):
    """Sources with too many lines, and exceptions for files that do not need one."""
    excepted = [path for path in tree.exceptions if not path.endswith("/")]
    too_long = set()
    for path in tree.files:
        count = len(tree.lines(path)) if _SOURCE.search(path) else 0
        if count > MAX_LINES:
            too_long.add(path)
            if path not in excepted:
                yield "%s has %d lines, more than %d." % (path, count, MAX_LINES)
    for path in excepted:
        if path not in tree.files:
            yield "%s: %s does not exist." % (checkout.EXCEPTIONS, path)
        elif path not in too_long:
            yield "%s: %s does not need an exception." % (checkout.EXCEPTIONS, path)


def unbreakable_lines(lines):
    """The numbers of Markdown lines that may be wide: fenced code, rows of tables, links."""
    fenced = False
    for number, line in enumerate(lines, 1):
        is_fence = line.lstrip().startswith("```")
        if fenced or is_fence or line.startswith("|") or _LINK.fullmatch(line):
            yield number
        fenced ^= is_fence


def untidy_lines(tree):
    """Lines that are too wide, have tabs or end in blanks."""
    for path, columns in texts(tree):
        lines = tree.lines(path)
        may_be_wide = set(unbreakable_lines(lines)) if path.endswith(".md") else ()
        for number, line in enumerate(lines, 1):
            if columns and len(line) > columns and number not in may_be_wide:
                yield "%s:%d has %d columns, more than %d." % (path, number, len(line), columns)
            if "\t" in line:
                yield "%s:%d has a tab." % (path, number)
            if line != line.rstrip():
                yield "%s:%d ends in blanks." % (path, number)


class StopWord(collections.namedtuple("StopWord", "pattern advice scopes")):
    """A regular expression for words to avoid, what to say instead, and the paths that it is limited to."""

    def concerns(self, path):
        """Whether the path begins with one of the scopes, if there are any, and with none that has a '!'."""
        wanted = tuple(scope for scope in self.scopes if not scope.startswith("!"))
        unwanted = tuple(scope[1:] for scope in self.scopes if scope.startswith("!"))
        return (not wanted or path.startswith(wanted)) and not path.startswith(unwanted)


def stop_words(tree):
    """(stop words, breaches) of STOP_LIST, whose head describes the form of a line."""
    words, unreadable = [], []
    for number, line in tree.data_lines(STOP_LIST):
        expression, _, advice = line.partition(" -- ")
        scoped = _SCOPE.fullmatch(expression)
        scopes, expression = (scoped[1].split(), scoped[2]) if scoped else ([], expression)
        try:
            pattern = re.compile(expression.strip(), re.MULTILINE)
        except re.error as error:
            unreadable.append('%s:%d: "%s" is not a regular expression: %s.' % (STOP_LIST, number, expression, error))
            continue
        if advice.strip():
            words.append(StopWord(pattern, advice.strip(), scopes))
        else:
            unreadable.append('%s:%d does not say after " -- " what to say instead.' % (STOP_LIST, number))
    return words, unreadable


def words_to_avoid(tree):
    """Lines with a word of the stop-list."""
    words, unreadable = stop_words(tree)
    yield from unreadable
    for path, _ in texts(tree):
        if _WORDS_OF_OTHERS.search(path):
            continue
        lines = tree.lines(path)
        # Most words are nowhere in most files: one search of the whole text answers for all of its lines.
        whole = "\n".join(lines)
        present = [word for word in words if word.concerns(path) and word.pattern.search(whole)]
        for number, line in enumerate(lines, 1) if present else ():
            for word in present:
                if match := word.pattern.search(line):
                    yield '%s:%d: "%s" is on the stop-list: %s.' % (path, number, match[0], word.advice)


def breaches(tree):
    """One sentence for each breach that concerns the text of files."""
    yield from long_files(tree)
    yield from untidy_lines(tree)
    yield from words_to_avoid(tree)
