# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""What the reader of explicit rules makes of a sentence."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Limit:
    """A member of VkPhysicalDeviceLimits or of a structure that extends VkPhysicalDeviceProperties2."""

    struct: str
    member: str
    # Index in an array member.
    index: int = 0


@dataclass(frozen=True)
class Hop:
    """A way from a structure to others: a pointer to one, an array of them, or the pNext chain."""

    # Index of the pointer, or of pNext.
    member: int
    # The structure in the chain.
    link: str | None = None
    # The only element of an array; -1 stands for each.
    element: int = -1


@dataclass(frozen=True)
class Place:
    """Where a number is: behind hops from the owner, and then in inline structures."""

    # Indices of members. Without any, the number is itself an element of the last hop's array.
    path: tuple[int, ...]
    hops: tuple[Hop, ...] = ()


@dataclass
class Term:
    """A test of one number."""

    # An enumerator of ExplicitTest without its k.
    test: str
    place: Place
    operands: list[int | Limit]
    # Of a number that is added, and of one that is the operand.
    plus: Place | None = None
    other: Place | None = None


@dataclass
class ExplicitRule:
    """An explicit rule: a call to which the rule applies must keep all requirements.

    The rule applies if all conditions hold, no feature of `absent` is enabled and every feature of `present` is. A rule
    without requirements is violated by every call to which it applies.
    """

    # Index of its id among Registry.vuids.
    vuid: int
    conditions: list[Term] = field(default_factory=list)
    requirements: list[Term] = field(default_factory=list)
    # "sparseBinding"; with its structure if the name alone is ambiguous.
    absent: list[str] = field(default_factory=list)
    present: list[str] = field(default_factory=list)
    # The rule applies to instances of versions before this one.
    before: tuple[int, int] | None = None
