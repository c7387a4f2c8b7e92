# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the members that the sentences of explicit rules name: of the owner, behind its pointers, and in its chain.

    extent.width                               a member of an inline structure
    pFragmentSize->width                       behind a pointer
    pInfos[i].mode, each element of pOffsets   of each element of an array
    VkLink::size                               of a structure in the owner's pNext chain
"""

import re

from registry.explicit.model import Hop, Place

_NAME = r"\w+(?:\[\w\])?(?:(?:->|\.|::)\w+(?:\[\w\])?)*"
_EACH = r"(?:[Ee]ach|[Aa]ny|[Aa]ll|[Tt]he) elements? of|[Ee]lements? of"
REFERENCE = (rf"(?:(?:{_EACH}) (?:the )?{_NAME}(?: array)?|its {_NAME}(?: member)?|{_NAME}(?: "
             rf"(?:members?|component) of (?:(?:{_EACH}) )?(?:the |an? )?{_NAME}(?: array)?"
             rf"(?: structure included in the pNext chain)?)?)")
_NUMERIC_KINDS = {"Value", "Bool32", "Enum", "Flags", "Handle", "DeviceAddress", "TypedHandle"}
_UNFIT_TYPES = {"float", "double", "char", "void"}
_MOST_HOPS = 3


class Members:
    """The members that a sentence about one owner can name."""

    def __init__(self, owner, is_link, owners, links):
        """links maps structures to those that may be in their pNext chain."""
        self.owner = owner
        self.owners = owners
        # If the owner is itself in a pNext chain, what is in the chain before it counts too.
        self.links = [] if is_link else links.get(owner, [])

    def members_at(self, hops):
        members = self.owners[self.owner]
        for hop in hops:
            members = self.owners[hop.link or members[hop.member].type_ref]
        return members

    def find(self, text, contexts):
        """(Place, member) of a number or a pointer. contexts are hops to structures that may have it, best first."""
        for hops in contexts:
            found = self._find(text, hops)
            if found:
                return found if self._is_number(*found) else None
        return None

    def enter(self, text, hops=()):
        """The hops to the structures that a pointer or an array's name leads to; None if it is none."""
        match = re.search(rf"(?:{_EACH}) (?:the )?(\w+)(?: array)?$", text)
        found = self._walk(match[1] if match else text, hops)
        if not found or found[1].kind != "Struct" or found[1].indirection == "Inline" or len(found[0].path) != 1:
            return None
        return found[0].hops + (Hop(found[0].path[0]),)

    def hops_to_link(self, struct):
        """The hops to a structure in the owner's chain; None if it cannot be there."""
        members = self.owners[self.owner]
        if struct not in self.links:
            return None
        return (Hop(next(i for i, m in enumerate(members) if m.kind == "Next"), struct),)

    def _find(self, text, hops):
        match = re.fullmatch(rf"(?:{_EACH}) (?:the )?({_NAME})(?: array)?", text)
        if match:
            return self._walk(match[1] + "[i]", hops)
        match = re.fullmatch(rf"({_NAME}) (?:members?|component) of (?:({_EACH}) )?(?:the |an? )?({_NAME})(?: array)?"
                             rf"(?: structure included in the pNext chain)?", text)
        if match:
            return self._walk(f"{match[3]}{'[i]' if match[2] else ''}->{match[1]}", hops)
        return self._walk(text, hops)

    def _walk(self, text, hops):
        parts = re.findall(r"(\w+)(?:\[(\w)\])?", text)
        if len(parts) > 1 and parts[0][0] == self.owner:
            hops, parts = (), parts[1:]
        elif len(parts) > 1 and parts[0][0].startswith("Vk"):
            hops, parts = self.hops_to_link(parts[0][0]), parts[1:]
            if hops is None:
                return None
        path = ()
        for name, index in parts[:-1]:
            member = self._member(name, hops, path)
            if not member or member[1].kind != "Struct" or member[1].type_ref not in self.owners:
                return None
            if member[1].indirection == "Inline":
                if member[1].fixed_count != "1" or index:
                    return None
                path += (member[0],)
                continue
            if path or len(hops) == _MOST_HOPS or bool(index) != (member[1].length.kind != "One"):
                return None
            # The pointer may be ignored.
            if "NoAutoValidity" in member[1].flags:
                return None
            hops += (Hop(member[0]),)
        member = self._member(parts[-1][0], hops, path)
        if not member and hops and not path:
            # The mipLevel of a VkImageSubresource2 is that of its imageSubresource.
            for i, outer in enumerate(self.members_at(hops)):
                fits = outer.indirection == "Inline" and outer.kind == "Struct"
                inner = self._member(parts[-1][0], hops, (i,)) if fits else None
                if inner:
                    return Place((i, inner[0]), hops), inner[1]
        if not member or not parts[-1][1]:
            return member and (Place(path + (member[0],), hops), member[1])
        if path or member[1].length.kind not in ("Member", "Constant") or member[1].indirection != "Pointer":
            return None
        element = int(parts[-1][1]) if parts[-1][1].isdigit() else -1
        return Place((), hops + (Hop(member[0], element=element),)), member[1]

    def _member(self, name, hops, path):
        members = self.members_at(hops)
        for index in path:
            members = self.owners[members[index].type_ref]
        return next(((i, m) for i, m in enumerate(members) if m.name.lower() == name.lower()), None)

    @staticmethod
    def _is_number(place, member):
        if "BitField" in member.flags or member.fixed_count != "1":
            return False
        if place.path and (member.indirection != "Inline" or member.kind in ("Next", "OpaquePointer")):
            return True
        return member.kind in _NUMERIC_KINDS and member.type_name not in _UNFIT_TYPES
