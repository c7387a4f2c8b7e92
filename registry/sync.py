# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The registry's <sync> section.

It defines the stages and accesses that a stage or access stands for, the pairs of stage and access, and the logical
order of stages.
"""

import re

from registry.model import SyncAccess, SyncOrder, SyncStage, SyncStageAccess

_STAGE = "VK_PIPELINE_STAGE_2_"
_ACCESS = "VK_ACCESS_2_"
_NONE_STAGE = _STAGE + "NONE"
_ALL_COMMANDS = _STAGE + "ALL_COMMANDS_BIT"
_TOP = _STAGE + "TOP_OF_PIPE_BIT"
_BOTTOM = _STAGE + "BOTTOM_OF_PIPE_BIT"
_HOST = _STAGE + "HOST_BIT"
_NONE_ACCESS = _ACCESS + "NONE"
_MEMORY = {_ACCESS + "MEMORY_READ_BIT": "is_read", _ACCESS + "MEMORY_WRITE_BIT": "is_write"}


def short_name(flag, prefix):
    """COPY for VK_PIPELINE_STAGE_2_COPY_BIT, ACCELERATION_STRUCTURE_BUILD for ..._BUILD_BIT_KHR."""
    return re.sub(r"_BIT(_[A-Z]+)?$", "", flag.removeprefix(prefix))


def _reads_and_writes(name):
    words = short_name(name, _ACCESS).split("_")
    return "READ" in words, "WRITE" in words


def _expand(name, equivalents, seen=()):
    """The names at the leaves of equivalents, in its order."""
    if name in seen or name not in equivalents:
        return [name]
    leaves = []
    for part in equivalents[name]:
        leaves += [leaf for leaf in _expand(part, equivalents, (*seen, name)) if leaf not in leaves]
    return leaves


class SyncSection:
    """Reads stages, accesses and pipelines.

    root is the registry's XML. stage_values and access_values map the flags' preferred names to values. aliases maps
    other names to preferred names.
    queue_bits maps the registry's words (graphics) to flag names.
    """

    def __init__(self, root, stage_values, access_values, aliases, queue_bits):
        self._root = root
        self._values = {**stage_values, **access_values}
        self._aliases = aliases
        self._queue_bits = queue_bits
        self._stage_names = self._names("sync/syncstage", stage_values)
        self._access_names = self._names("sync/syncaccess", access_values)
        self._stage_equivalents = self._equivalents("sync/syncstage", "stage")
        self._access_equivalents = self._equivalents("sync/syncaccess", "access")
        self.stages = self._parse_stages()
        self.accesses = self._parse_accesses()
        self.pairs = self._parse_pairs()
        self.orders = self._parse_orders()

    def _resolve(self, name):
        while name in self._aliases:
            name = self._aliases[name]
        return name

    def _names(self, path, values):
        names = []
        for element in self._root.iterfind(path):
            name = self._resolve(element.get("name"))
            if name in values and name not in names:
                names.append(name)
        return names

    def _equivalents(self, path, attribute):
        result = {}
        for element in self._root.iterfind(path):
            equivalent = element.find("syncequivalent")
            if equivalent is not None:
                name = self._resolve(element.get("name"))
                result[name] = [self._resolve(n) for n in equivalent.get(attribute).split(",")]
        return result

    def _value(self, names):
        value = 0
        for name in names:
            value |= self._values[name]
        return value

    def _support(self, path, attribute):
        result = {}
        for element in self._root.iterfind(path):
            support = element.find("syncsupport")
            if support is not None and support.get(attribute):
                result.setdefault(self._resolve(element.get("name")), support.get(attribute).split(","))
        return result

    @property
    def _single_stages(self):
        """The stages at which work happens, HOST included."""
        excluded = {_NONE_STAGE, _ALL_COMMANDS, _TOP, _BOTTOM, *self._stage_equivalents}
        return [n for n in self._stage_names if n not in excluded]

    def _parse_stages(self):
        support = self._support("sync/syncstage", "queues")
        stages = []
        for name in self._stage_names:
            queues = [self._queue_bits[q] for q in support[name]] if name in support else None
            if name == _ALL_COMMANDS:
                # The stages of commands on a queue. HOST is not among them.
                leaves = [n for n in self._single_stages if n != _HOST]
            else:
                leaves = [] if name == _NONE_STAGE else _expand(name, self._stage_equivalents)
            stages.append(SyncStage(name, self._values[name], queues, self._value(leaves), leaves == [name]))
        return stages

    def _access_stages(self, name, support):
        """Single stages that can perform the access.

        A listed stage that stands for several counts only if none of those is listed itself.
        """
        listed = [self._resolve(s) for s in support.get(name, [])]
        stages = []
        for stage in listed:
            leaves = _expand(stage, self._stage_equivalents)
            if leaves == [stage] or not any(leaf in listed for leaf in leaves):
                stages += [leaf for leaf in leaves if leaf not in stages]
        return [s for s in self._single_stages if s in stages]

    def _parse_accesses(self):
        support = self._support("sync/syncaccess", "stage")
        stages = {name: self._access_stages(name, support) for name in self._access_names}
        # Stages that perform an access and none of the accesses that it stands for. VK_ACCESS_2_SHADER_READ_BIT stands
        # for three accesses; acceleration structure builds perform it but none of the three.
        own_stages = {}
        for name in self._access_names:
            leaves = _expand(name, self._access_equivalents)
            covered = set() if leaves == [name] else {s for leaf in leaves for s in stages[leaf]}
            if name not in _MEMORY and name != _NONE_ACCESS:
                own_stages[name] = [s for s in stages[name] if s not in covered]
        self._own_stages = own_stages
        accesses = []
        for name in self._access_names:
            is_read, is_write = _reads_and_writes(name)
            if name in _MEMORY:
                leaves = [n for n, own in own_stages.items() if own and _reads_and_writes(n)[1 if is_write else 0]]
                stage_names = [s for s in self._single_stages if any(s in own_stages[n] for n in leaves)]
            else:
                leaves = [] if name == _NONE_ACCESS else _expand(name, self._access_equivalents)
                if leaves and name not in leaves and own_stages[name]:
                    leaves = [*leaves, name]
                stage_names = stages[name]
            accesses.append(
                SyncAccess(name, self._values[name], stage_names, self._value(leaves), leaves == [name], is_read,
                           is_write))
        return accesses

    def _parse_pairs(self):
        pairs = []
        for stage in self._single_stages:
            for access in self.accesses:
                if stage in self._own_stages.get(access.name, ()):
                    name = f"{short_name(stage, _STAGE)}_{short_name(access.name, _ACCESS)}"
                    pairs.append(SyncStageAccess(name, stage, access.name, access.is_read, access.is_write))
        return pairs

    def _pipelines(self):
        """Yields (ordered, unordered) for each pipeline.

        ordered lists the positions, each with its set of single stages. unordered lists (stages, before, after).
        """
        for pipeline in self._root.iterfind("sync/syncpipeline"):
            ordered, unordered = [], []
            for element in pipeline.iterfind("syncpipelinestage"):
                stages = set(_expand(self._resolve(element.text.strip()), self._stage_equivalents))
                if element.get("order") == "None":
                    before, after = (self._resolve(element.get(a)) if element.get(a) else None
                                     for a in ("before", "after"))
                    unordered.append((stages, before, after))
                else:
                    ordered.append(stages)
            yield ordered, unordered

    def _parse_orders(self):
        """The transitive closure of "comes before" within each pipeline, united over all pipelines."""
        later = {name: {name} for name in self._single_stages}
        for ordered, unordered in self._pipelines():
            for i, stages in enumerate(ordered):
                for stage in stages:
                    later[stage].update(*ordered[i + 1:])
            for stages, before, after in unordered:
                for i, position in enumerate(ordered):
                    if before in position:
                        for stage in stages:
                            later[stage].update(position, *ordered[i + 1:])
                    if after in position:
                        for earlier in [s for p in ordered[:i + 1] for s in p]:
                            later[earlier] |= stages
        work = [n for n in self._single_stages if n != _HOST]
        for name in work:
            later[name].add(_BOTTOM)
        later[_TOP] = {_TOP, _BOTTOM, *work}
        later[_BOTTOM] = {_BOTTOM}
        names = [n for n in self._stage_names if n in later]
        return [
            SyncOrder(n, self._value(m for m in names if n in later[m]), self._value(later[n])) for n in names
        ]
