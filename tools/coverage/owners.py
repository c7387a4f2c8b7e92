# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The owners of valid-usage ids: commands and structures, by name, and those structures that they take."""

import re


def structures_of(registry, names):
    """The names, and the structures that these commands and structures take: as parameters, as members, in pNext."""
    members = {owner.name: owner.members for owner in registry.structs}
    members.update({owner.name: owner.params for owner in registry.commands})
    extending = {owner.name: owner.extended_by for owner in registry.structs}
    found, left = set(), list(names)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += [member.type_name for member in members.get(name, []) if member.type_name in extending]
            left += extending.get(name, [])
    return found


def matching(names, pattern):
    """Those names that the regular expression matches as a whole."""
    return set(filter(re.compile(pattern).fullmatch, names))
