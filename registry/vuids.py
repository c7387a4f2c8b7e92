# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Valid-usage ids and their sentences from validusage.json."""

import html
import json
import re

from registry.model import Vuid

_LATEX = {
    "lceil": "ceil(",
    "rceil": ")",
    "lfloor": "floor(",
    "rfloor": ")",
    "left": "",
    "right": "",
    "times": "*",
    "cdot": "*",
    "leq": "<=",
    "le": "<=",
    "geq": ">=",
    "ge": ">=",
    "neq": "!=",
    "ldots": "...",
    "dots": "...",
    "quad": " ",
    "mid": "|",
    "lbrace": "{",
    "rbrace": "}",
}
_WRAPPER = re.compile(
    r"\\(?:mathit|textrm|mathtt|mathbf|mathrm|mathbin|text|textit|textbf|operatorname)\s*\{([^{}]*)\}")
_SUBSCRIPT = re.compile(r"_\{([^{}]*)\}")
_OVER = re.compile(r"\{([^{}]*?)\\over([^{}]*)\}")
_FRAC = re.compile(r"\\frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_MATH = re.compile(r"\\\((.*?)\\\)|\\\[(.*?)\\\]|latexmath:\[(.*?)\]", re.S)


def _term(text):
    text = text.strip()
    return text if re.fullmatch(r"[\w.]+", text) else f"({text})"


def _quotient(match):
    return f"{{{_term(match[1])} / {_term(match[2])}}}"


def latex_to_text(text):
    """A formula as one would type it in a program: \\lceil{\\frac{a}{b}}\\rceil is ceil(a / b)."""
    text = "{" + text.replace(r"\_", "_").replace(r"\{", r"\lbrace ").replace(r"\}", r"\rbrace ") + "}"
    previous = None
    while previous != text:
        previous = text
        for pattern, replacement in ((_WRAPPER, r"\1"), (_SUBSCRIPT, r"_\1"), (_FRAC, _quotient), (_OVER, _quotient)):
            text = pattern.sub(replacement, text)
    text = text.replace("{", " ").replace("}", " ")
    text = re.sub(r"\\([A-Za-z]+)", lambda m: _LATEX.get(m[1], m[1]), text)
    text = " ".join(re.sub(r"\\.?", " ", text).split())
    return re.sub(r"\s+\)", ")", re.sub(r"(?<=\()\s+", "", text))


def html_to_text(text):
    """The sentence without markup: tags dropped, entities resolved, formulas readable, white space folded."""
    formulas = []

    def keep(match):
        formulas.append(latex_to_text(html.unescape(next(g for g in match.groups() if g is not None))))
        return f"\0{len(formulas) - 1}\0"

    text = _MATH.sub(keep, text)
    text = re.sub(r"<su[pb]>(.*?)</su([pb])>", lambda m: ("^" if m[2] == "p" else "_") + m[1], text)
    text = re.sub(r"<li>", " - ", text)
    text = re.sub(r"<(?:br|p|/p|ul|/ul|ol|/ol|div|/div|/li|td|/td|tr|/tr|dd|dt|/dd|/dt)\b[^<>]*>", " ", text)
    text = re.sub(r"</?[a-zA-Z][^<>]*>", "", text)
    text = html.unescape(text).replace("\u200b", "").replace("\u00a0", " ")
    text = re.sub(r"\0(\d+)\0", lambda m: formulas[int(m[1])], text)
    return " ".join(text.split())


def fnv1a(text):
    """VuidHash of vk/vuid.h."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def parse(path):
    """Every id once, in the order of their hashes."""
    with open(path, encoding="utf-8") as file:
        return parse_document(json.load(file))


def parse_document(document):
    found = {}
    for sections in document["validation"].values():
        for entries in sections.values():
            for entry in entries:
                found.setdefault(entry["vuid"], Vuid(entry["vuid"], html_to_text(entry["text"]), entry["page"]))
    hashes = {}
    for vuid in found.values():
        other = hashes.setdefault(fnv1a(vuid.id), vuid)
        if other is not vuid:
            raise ValueError(f"{vuid.id} and {other.id} have the same hash; choose another hash in vk/vuid.h")
    return [hashes[value] for value in sorted(hashes)]
