# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""From the registry's object model and XML to model.Registry."""

import re

from registry import explicit_rules
from registry import features
from registry import members
from registry import model
from registry import objects as objects_module
from registry import handle_reachability
from registry import implicit_rules
from registry import sync
from registry import sync_rules
from registry import vuids
from registry.created import object_rules
from registry.draws import draw_rules
from registry.spirv import requirements

_QUEUES = {
    "TRANSFER": "VK_QUEUE_TRANSFER_BIT",
    "GRAPHICS": "VK_QUEUE_GRAPHICS_BIT",
    "COMPUTE": "VK_QUEUE_COMPUTE_BIT",
    "PROTECTED": "VK_QUEUE_PROTECTED_BIT",
    "SPARSE_BINDING": "VK_QUEUE_SPARSE_BINDING_BIT",
    "OPTICAL_FLOW": "VK_QUEUE_OPTICAL_FLOW_BIT_NV",
    "DECODE": "VK_QUEUE_VIDEO_DECODE_BIT_KHR",
    "ENCODE": "VK_QUEUE_VIDEO_ENCODE_BIT_KHR",
}
_DISPATCH = {
    "VkInstance": "Instance",
    "VkPhysicalDevice": "PhysicalDevice",
    "VkDevice": "Device",
    "VkQueue": "Queue",
    "VkCommandBuffer": "CommandBuffer",
}


class _Builder:
    def __init__(self, objects):
        self.objects = objects
        self.vk = objects.vk
        self.provided = objects_module.provisions(objects.root)
        flags = {}
        for element in objects.root.iterfind("types/type[@category='bitmask']"):
            if "vulkan" not in element.get("api", "vulkan").split(","):
                continue
            name = element.findtext("name") or element.get("name")
            bits = element.get("requires") or element.get("bitvalues")
            flags[name] = bits if bits in self.vk.bitmasks else None
        for alias, target in objects.type_aliases.items():
            if target in flags:
                flags[alias] = flags[target]
        self.types = members.Types(structs=set(self.vk.structs),
                                   enums=set(self.vk.enums),
                                   bitmasks=set(self.vk.bitmasks),
                                   handles=set(self.vk.handles),
                                   flags=flags,
                                   aliases=objects.type_aliases)

    def provision(self, *names):
        core, extensions = None, []
        for name in names:
            version, brought_by = self.provided.get(name, (None, []))
            core = version if core is None else core if version is None else min(core, version)
            extensions += [e for e in brought_by + self.partners.get(name, []) if e not in extensions]
        return model.Provision(core, extensions)

    @property
    def partners(self):
        """By name: what a promoted extension adds only together with another extension.

        That other extension provides it too.
        """
        if not hasattr(self, "_partners"):
            self._partners = {}
            in_build = [e for e in self.objects.root.iterfind("extensions/extension") if objects_module.in_build(e)]
            of_devices = {e.get("name") for e in in_build if e.get("type") == "device"}
            for extension in in_build:
                if not self.promoted_to_version(extension.get("promotedto")):
                    continue
                for block in extension.iterfind("require[@depends]"):
                    others = [n for n in re.findall(r"\w+", block.get("depends")) if n in of_devices]
                    for item in block:
                        self._partners.setdefault(item.get("name"), []).extend(others)
        return self._partners

    def names_of(self, name, aliases):
        """The name and every alias that leads to it."""
        def target(alias):
            while alias in aliases:
                alias = aliases[alias]
            return alias

        return [name, *(alias for alias in aliases if target(alias) == name)]

    def structs(self):
        result = {}
        for name in sorted(self.vk.structs):
            struct = self.vk.structs[name]
            result[name] = model.Struct(
                name=name,
                members=members.parse_members(struct.members,
                                              self.objects.member_attributes[name],
                                              self.types,
                                              is_parameter=False,
                                              in_union=struct.union),
                structure_type=struct.sType,
                union=struct.union,
                returned_only=struct.returnedOnly,
                allow_duplicate=struct.allowDuplicate,
                extends=list(struct.extends or []),
                extended_by=list(struct.extendedBy or []),
                provision=self.provision(*self.names_of(name, self.objects.type_aliases)),
            )
        for struct in result.values():
            struct.extends = sorted(n for n in struct.extends if n in result)
            struct.extended_by = sorted(n for n in struct.extended_by if n in result)
        return result

    def handles(self):
        report_types = self.objects.enum_values.get("VkDebugReportObjectTypeEXT", {})
        result = {}
        for name in sorted(self.vk.handles):
            handle = self.vk.handles[name]
            report_type = handle.type.replace("VK_OBJECT_TYPE_", "VK_DEBUG_REPORT_OBJECT_TYPE_") + "_EXT"
            result[name] = model.Handle(name, handle.type, handle.dispatchable,
                                        handle.parent.name if handle.parent else None)
            if report_type in report_types:
                result[name].debug_report_type = report_type
        return result

    def lifetime(self, name, params, structs):
        def leads_to_handle(member):
            return member.kind == "Handle" or (member.kind == "Struct" and any(
                leads_to_handle(m) for m in structs[member.type_ref].members if m.kind != "Next"))

        returns = any("Output" in p.flags and leads_to_handle(p) for p in params)
        if re.match(r"vk(Create|Allocate|Register)", name) and returns:
            return "Create"
        if re.match(r"vk(Destroy|Free)", name):
            return "Destroy"
        if re.match(r"vk(Get|Enumerate|Acquire)", name) and returns:
            return "Retrieve"
        return "None"

    def command(self, name, structs):
        command = self.vk.commands[name]
        attributes = self.objects.member_attributes[name]
        params = members.parse_members(command.params, attributes, self.types, is_parameter=True)
        dispatch = _DISPATCH.get(command.params[0].type, "Global")
        if name == "vkGetInstanceProcAddr":
            dispatch = "Global"
        expressions = [a["externsync"] for a in attributes if a.get("externsync", "true") != "true"]
        recorded = dispatch == "CommandBuffer"
        return model.Command(
            name=name,
            return_type=command.returnType,
            params=params,
            provision=self.provision(name),
            dispatch=dispatch,
            lifetime=self.lifetime(name, params, structs),
            render_pass=command.renderPass.name.capitalize(),
            video_coding=command.videoCoding.name.capitalize(),
            tasks=[t.capitalize() for t in command.tasks or []],
            queues=[
                bit for word, bit in _QUEUES.items()
                if recorded and command.queues and type(command.queues)[word] in command.queues
            ],
            primary=command.primary,
            secondary=command.secondary,
            success_codes=command.successCodes or [],
            error_codes=command.errorCodes or [],
            implicit_extern_sync=command.implicitExternSyncParams,
            extern_sync_members=[e for text in expressions for e in text.split(",")],
        )

    def commands(self, structs):
        aliases = {n: c.alias for n, c in self.vk.commands.items() if c.alias}
        available = [n for n in sorted(self.vk.commands) if n in self.provided and any(self.provided[n])]
        commands = {n: self.command(n, structs) for n in available if n not in aliases}
        named = []
        for name in available:
            if name in aliases:
                target = name
                while target in aliases:
                    target = aliases[target]
                named.append(model.CommandAlias(name, target, self.provision(name).extensions))
        return commands, named

    def enums(self):
        result = []
        for name, enum in sorted({**self.vk.enums, **self.vk.bitmasks}.items()):
            is_bitmask = name in self.vk.bitmasks
            type_names = self.names_of(name, self.objects.type_aliases)
            if is_bitmask:
                type_names += self.names_of(enum.flagName, self.objects.type_aliases)
            own = self.provision(*type_names)
            values = {}
            for value_name, value in self.objects.enum_values[name].items():
                provision = self.provision(*self.names_of(value_name, self.objects.enumerant_aliases))
                # An enumerant that is listed with its type is provided with it, even if an extension lists its alias.
                if value_name not in self.mentioned or (own.core is not None and provision.core == own.core):
                    more = [e for e in provision.extensions if e not in own.extensions]
                    provision = model.Provision(own.core, [] if own.core == (1, 0) else own.extensions + more)
                values.setdefault(value, model.EnumValue(value_name, value, provision))
            result.append(model.Enum(
                name, enum.flagName if is_bitmask else "", enum.bitWidth, [values[v] for v in sorted(values)]))
        return result

    @property
    def mentioned(self):
        """Enumerants that some feature or extension lists, supported or not."""
        if not hasattr(self, "_mentioned"):
            self._mentioned = {e.get("name") for e in self.objects.root.iterfind(".//require/enum")}
        return self._mentioned

    def promoted_to_version(self, name):
        seen = set()
        while name and name not in seen:
            seen.add(name)
            version = objects_module.version_of(name)
            if version:
                return version
            name = self.vk.extensions[name].promotedTo if name in self.vk.extensions else None
        return None

    def extensions(self):
        by_name = self.vk.extensions
        result = []
        for element in self.objects.root.iterfind("extensions/extension"):
            if not objects_module.in_build(element):
                continue
            e = by_name[element.get("name")]
            result.append(
                model.Extension(e.name, e.specVersion, e.instance, e.depends or "", e.promotedTo or "",
                                self.promoted_to_version(e.promotedTo), e.provisional))
        return sorted(result, key=lambda e: e.name)

    def formats(self):
        values = self.objects.enum_values.get("VkFormat", {})
        result = []
        for f in self.vk.formats.values():
            components = [
                model.FormatComponent(c.type, 0 if c.bits == "compressed" else int(c.bits), c.numericFormat,
                                      -1 if c.planeIndex is None else c.planeIndex) for c in f.components
            ]
            planes = [
                model.FormatPlane(p.widthDivisor, p.heightDivisor, p.compatible)
                for p in sorted(f.planes, key=lambda p: p.index)
            ]
            extent = tuple(int(x) for x in f.blockExtent) if f.blockExtent else (1, 1, 1)
            result.append(
                model.Format(f.name, values[f.name], f.className, f.blockSize, f.texelsPerBlock, extent,
                             bool(f.compressed), components, planes))
        return sorted(result, key=lambda f: f.value)

    def build(self):
        registry = model.Registry(header_version=str(self.vk.headerVersion))
        structs = self.structs()
        handles = self.handles()
        commands, registry.aliases = self.commands(structs)
        handle_reachability.mark(structs, commands, handles)
        registry.structs = list(structs.values())
        registry.handles = list(handles.values())
        registry.commands = list(commands.values())
        registry.enums = self.enums()
        registry.extensions = self.extensions()
        registry.features = features.parse(structs.values())
        registry.formats = self.formats()
        registry.spirv_capabilities = requirements.parse(self.objects.root, "spirvcapability", registry.features,
                                                         structs.values())
        registry.spirv_extensions = requirements.parse(self.objects.root, "spirvextension", registry.features,
                                                       structs.values())
        registry.limit_types = {
            (s.name, m.name): a["limittype"] for s in structs.values()
            for m, a in zip(s.members, self.objects.member_attributes[s.name]) if "limittype" in a
        }
        values = self.objects.enum_values
        section = sync.SyncSection(
            self.objects.root, values["VkPipelineStageFlagBits2"], values["VkAccessFlagBits2"],
            self.objects.enumerant_aliases,
            {("opticalflow" if k == "OPTICAL_FLOW" else k.lower()): v for k, v in _QUEUES.items()})
        registry.sync_stages, registry.sync_accesses = section.stages, section.accesses
        registry.sync_stage_accesses, registry.sync_orders = section.pairs, section.orders
        return registry


def parse(xml_path, vuid_path=None):
    """The whole registry; without vuid_path, no valid-usage ids."""
    builder = _Builder(objects_module.load(xml_path))
    registry = builder.build()
    if vuid_path:
        registry.vuids = vuids.parse(vuid_path)
        owners = {s.name: s.members for s in registry.structs}
        owners.update({c.name: c.params for c in registry.commands})
        registry.rules = implicit_rules.parse(registry.vuids, owners)
        registry.implicit_features = features.implicit(builder.objects.root, registry)
        found = sync_rules.SyncRules(registry.vuids, registry.sync_stages, registry.sync_accesses,
                                     builder.objects.enumerant_aliases)
        registry.stage_feature_rules, registry.access_stage_rules = found.stage_features, found.access_stages
        registry.layout_usage_rules, registry.layout_feature_rules = found.layout_usages, found.layout_features
        registry.explicit_rules = explicit_rules.parse(registry.vuids, owners, builder.objects.all_values(),
                                                       registry.features, registry.structs)
        registry.object_rules = object_rules.parse(registry.vuids, registry.commands, registry.structs,
                                                   builder.objects.all_values())
        registry.dynamic_state_rules, registry.dynamic_state_setters = draw_rules.parse(
            registry.vuids, registry.commands, registry.features, registry.enums)
    return registry
