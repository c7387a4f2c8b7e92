# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The areas that a user thinks in. Each has the checks that exist, those that do not exist yet, and their setting.

Each valid-usage id belongs to one area. The area of an implicit id follows from its kind. The area of an explicit id
follows from its owner or, failing that, from its chapter of the specification. The numbers of the table follow from
that too. Its words are here.
"""

import collections
import dataclasses
import os
import re

from tools.coverage import counting

_MARKUP = re.compile(r"<[^>]*>")
# The phrase for parameters that are, or lead to, handles that the application already has.
_VALID_HANDLE = re.compile(r"\bvalid (or VK_NULL_HANDLE )?Vk\w+ handles?\b")


@dataclasses.dataclass(frozen=True)
class Rule:
    """A rule of the registry. Its owner is a command, a structure, a built-in variable or a SPIR-V environment."""

    vuid: str
    owner: str
    # See counting.kind_of(). It is "handle" for implicit rules that require parameters to be valid handles.
    kind: str
    # The file of the specification, for example "copies".
    chapter: str


@dataclasses.dataclass(frozen=True)
class Area:
    """A row of the table. The words are Markdown."""

    name: str
    checked: str
    not_yet: str
    setting: str
    # For implicit rules.
    kinds: tuple = ()
    # For explicit rules: a pattern of whole names, and chapters for owners that no area's pattern matches.
    owners: str = ""
    chapters: tuple = ()
    # The prefix of the ids that the registry does not have.
    own_ids: str = ""

    def has_owner(self, owner):
        return bool(self.owners and re.fullmatch(self.owners, owner))


_NONE = "—"
_PARAMETERS = "`stateless_param`"
_CORE_AND_PARAMETERS = "`validate_core`, `stateless_param`"

AREAS = [
    Area(
        name="Parameters",
        checked="Implicit rules: structure types, `pNext` chains, pointers, lengths, enumerants, flags, strings. "
        "Explicit rules that need no state (features, limits, ranges, flags that go together) are counted "
        "with what they are about",
        not_yet="Structures in device memory",
        setting=_PARAMETERS,
        kinds=("sType", "pNext", "unique", "parameter", "arraylength", "zerobitmask", "requiredbitmask"),
    ),
    Area(
        name="Handles and lifetimes",
        checked="Handles are valid, alive, of the right type and parent. Objects are destroyed in order, and not "
        "while a queue uses them. Command buffers do not refer to destroyed objects",
        not_yet="Objects that only descriptors refer to; whether allocation callbacks are compatible",
        setting="`object_lifetime`, `unique_handles`",
        kinds=("handle", "parent", "commonparent"),
        owners=r"vk(Destroy|Free)\w+|vkReset(CommandPool|CommandBuffer|DescriptorPool)",
    ),
    Area(
        name="Threads",
        checked="External synchronization, where two calls overlap",
        not_yet="Commands while a deferred operation is not complete; two recorded commands that begin within "
        "nanoseconds of each other",
        setting="`thread_safety`",
        own_ids="UNASSIGNED-Threading-",
    ),
    Area(
        name="Recorded commands",
        checked="Whether a command may be recorded where it is: state and level of the command buffer, queue family, "
        "render pass instance, video coding scope; where command buffers begin and end, and what secondary ones "
        "inherit",
        not_yet="What secondary command buffers inherit of transforms and locations",
        setting="`validate_core`",
        kinds=("recording", "cmdpool", "renderpass", "videocoding", "bufferlevel", "queuetype"),
        chapters=("cmdbuffers",),
    ),
    Area(
        name="Synchronization commands",
        checked="Barriers, events, semaphores, fences, submissions, acquires and presents of swapchain images, "
        "subpass dependencies: stages, accesses, layouts, queue families, and what is pending. Image layouts "
        "and queue family ownership transfers, through submissions",
        not_yet="Device groups, payloads of external handles, layout transitions on the host, sample locations, "
        "render pass stripes, the profiling lock",
        setting="`validate_core`",
        owners=r"vkQueue(Submit2?|BindSparse|PresentKHR)|VkBindSparseInfo|Vk\w*Submit(Info2?|InfoKHR|InfoNV)|"
        r"VkSubpassDependency2?|VkPresent(InfoKHR|Id\w+|Times\w+|Regions?KHR|RectLayerKHR)|"
        r"VkSwapchainPresent(Fence|Mode)InfoEXT|VkDeviceGroup(Present|BindSparse)Info\w*|vkAcquireNextImage2?KHR|"
        r"VkAcquireNextImageInfoKHR|vkWaitForPresentKHR|\w+ReleaseSwapchainImages\w+",
        chapters=("synchronization",),
    ),
    Area(
        name="Synchronization hazards",
        checked="Accesses to memory, within command buffers, between submissions and with the host: transfers, "
        "dispatches, draws, attachments, acceleration structures, micromaps, ray tracing, video, sparse binding, "
        "presentation",
        not_yet="Hit and miss shaders, device addresses in shaders, what device-generated commands access",
        setting="`validate_sync`",
        own_ids="SYNC-HAZARD-",
    ),
    Area(
        name="Devices and capabilities",
        checked="What instances, devices and queues are created with and asked for: extensions, features and versions "
        "that need or exclude others, queue families, device groups; what is asked about formats",
        not_yet="What the driver supports of external handles",
        setting=_CORE_AND_PARAMETERS,
        chapters=("initialization", "devsandqueues", "features", "limits", "capabilities"),
    ),
    Area(
        name="Memory, buffers, images, samplers",
        checked="What buffers, images, views, samplers and conversions are created with: flags, usages, formats, "
        "samples, limits, and views that fit their images; allocations, binds and mappings of memory with its types "
        "and requirements; usages, memory and sizes of what commands name",
        not_yet="Which memory an imported handle stands for, and memory of other platforms",
        setting=_CORE_AND_PARAMETERS,
        chapters=("memory", "resources", "samplers", "sparsemem"),
    ),
    Area(
        name="Surfaces and swapchains",
        checked="What surfaces, display modes and swapchains are created with, and what the surface supports; what is "
        "asked about surfaces; acquires and presents are above",
        not_yet="Windows of some systems, exclusive access that is held already",
        setting=_CORE_AND_PARAMETERS,
        chapters=("wsi",),
    ),
    Area(
        name="Descriptors and push constants",
        checked="Layouts of sets and of pipelines with all limits of descriptors; update templates; what is written, "
        "copied, bound and pushed; features, flags, ranges",
        not_yet="Addresses that descriptors have, and captured descriptors",
        setting=_CORE_AND_PARAMETERS,
        chapters=("descriptorsets",),
    ),
    Area(
        name="Shaders and interfaces",
        checked="Whether SPIR-V is valid; built-ins; interfaces between stages, with vertex input and with pipeline "
        "layouts; capabilities, limits, formats and features of each stage; specialization, and SPIR-V after it; "
        "stages, flags, linking and layouts of shader objects",
        not_yet="Most of what is decided only while a shader runs",
        setting=_CORE_AND_PARAMETERS,
        chapters=("shaders", "interfaces", "spirvenv"),
    ),
    Area(
        name="Pipelines and dynamic state",
        checked="States of graphics pipelines, alone and with one another, their attachments and dynamic states; "
        "libraries and derivatives; compute pipelines, caches, binaries, executables; features, limits and ranges of "
        "the commands that set states",
        not_yet="Some of the rules that need the shaders or the render pass",
        setting=_CORE_AND_PARAMETERS,
        owners=r"VkPipelineInputAssemblyStateCreateInfo|vkCmdSetPrimitive\w+",
        chapters=("pipelines", "fxvertex", "tessellation", "vertexpostproc", "primsrast", "fragops", "framebuffer"),
    ),
    Area(
        name="Render passes",
        checked="Layouts of attachments and of their images; attachment and subpass descriptions: formats, samples, "
        "layouts, resolves, views, dependencies; framebuffers and attachments of dynamic rendering: usages, formats, "
        "samples, sizes, layers, resolves; "
        "compatibility; render areas; suspended render pass instances",
        not_yet="Transforms, shader resolves, stripes, external formats",
        setting=_CORE_AND_PARAMETERS,
        chapters=("renderpass",),
    ),
    Area(
        name="Draws and dispatches",
        checked="What must be bound and set: pipelines, shader objects, descriptors, push constants, dynamic state; "
        "whether pipelines and states fit the render pass instance and its attachments, and descriptors what shaders "
        "do with them; input attachments and feedback loops; vertex input, vertex and index buffers, buffers of "
        "arguments; limits, alignments and strides of arguments",
        not_yet="Attributes past the end of vertex buffers, descriptors in descriptor buffers",
        setting=_CORE_AND_PARAMETERS,
        chapters=("drawing", "dispatch"),
    ),
    Area(
        name="Copies and clears",
        checked="Copies, blits, resolves and clears of buffers, images and attachments, copies by the host: layouts, "
        "extents, bounds, usage, formats, sample counts, alignments, mapped memory; stages of buffer markers",
        not_yet="Regions in device memory",
        setting=_CORE_AND_PARAMETERS,
        chapters=("copies", "clears"),
    ),
    Area(
        name="Queries",
        checked="Pools, types, flags, sizes and strides of results; which queries are active in a command buffer; "
        "queries that nothing has reset or made available; stages of timestamps",
        not_yet="Whether queries were reset or made available again; performance queries, video queries",
        setting=_CORE_AND_PARAMETERS,
        chapters=("queries",),
    ),
    Area(
        name="Ray tracing",
        checked="Pipelines, their groups, libraries and handles; copies and properties of acceleration structures and "
        "micromaps, and whether these were built; builds and their sizes; shader binding tables; deferred operations; "
        "features, limits and alignments",
        not_yet="What builds read in device memory, clusters, capture and replay",
        setting=_CORE_AND_PARAMETERS,
        owners=r"(?!vkDestroy)\w*(AccelerationStructure|Micromap|RayTracing|Geometry(NV|AABB|Triangles))\w*",
        chapters=("accelstructures", "raytracing", "micromaps"),
    ),
    Area(
        name="Video",
        checked="Profiles, sessions and their parameters, memory of sessions, video coding scopes; pictures, buffers, "
        "codec parameters, quality and rate control of what is decoded and encoded",
        not_yet="Which pictures are active, as earlier submissions leave them; bitstreams",
        setting=_CORE_AND_PARAMETERS,
        chapters=("videocoding",),
    ),
    Area(
        name="Generated commands and execution graphs",
        checked="Layouts and their tokens, execution sets, preprocessing, memory; pipelines of graphs; what draws, "
        "dispatches and traces need, for generated commands, too, as far as the sequences do not bind and set it "
        "themselves",
        not_yet="What sequences and nodes read in device memory",
        setting=_CORE_AND_PARAMETERS,
        chapters=("generatedcommands", "executiongraphs"),
    ),
    Area(
        name="Debugging and other extensions",
        checked="Names, tags, labels and private data of objects; optical flow, memory decompression",
        not_yet="Regions in device memory",
        setting=_CORE_AND_PARAMETERS,
        chapters=("debugging", "VK_EXT_private_data", "VK_NV_memory_decompression", "optical_flow"),
    ),
    Area(
        name="GPU-assisted validation",
        checked="What shaders access while they run: indices of descriptors, ranges of buffers and texel buffers, "
        "device addresses, vertex attributes, rays, outputs of mesh shaders; what indirect commands, builds of "
        "acceleration structures and copies of depths read from buffers; shader printf. On request, layouts of "
        "the images that they access. Off by default",
        not_yet="—",
        setting="`gpuav_enable`, `printf_enable`",
    ),
    Area(
        name="Best practices",
        checked=_NONE,
        not_yet="Advice where no rule is broken",
        setting=_NONE,
    ),
]


def rules_of(document):
    """Every rule of validusage.json."""
    result = []
    for sections in document["validation"].values():
        for entries in sections.values():
            for entry in entries:
                vuid = entry["vuid"]
                kind = counting.kind_of(vuid)
                if kind == "parameter" and _VALID_HANDLE.search(_MARKUP.sub("", entry["text"])):
                    kind = "handle"
                chapter = os.path.splitext(os.path.basename(entry["page"]))[0]
                result.append(Rule(vuid, vuid.split("-")[1], kind, chapter))
    return result


def areas_of(rule):
    """The areas that have a rule. There is one if AREAS is right."""
    if rule.kind != "explicit":
        return [area for area in AREAS if rule.kind in area.kinds]
    return [area for area in AREAS if area.has_owner(rule.owner)] or [
        area for area in AREAS if rule.chapter in area.chapters]


def markdown(rules, coverage):
    """The table of README.md."""
    ids = collections.defaultdict(set)
    for rule in rules:
        for area in areas_of(rule):
            ids[area].add(rule.vuid)
    rows = [("area", "checked", "not yet", "ids checked of existing", "setting"), ("---",) * 5]
    for area in AREAS:
        rows.append((area.name, area.checked, area.not_yet, _count(area, ids[area], coverage), area.setting))
    rows.append(("All of the registry", "", "", _of(coverage.ids, coverage), ""))
    return "".join("| " + " | ".join(row) + " |\n" for row in rows)


def _of(ids, coverage):
    return f"{len(ids & coverage.checked)} of {len(ids)}"


def _count(area, ids, coverage):
    if ids:
        return _of(ids, coverage)
    own = [vuid for vuid in coverage.own if area.own_ids and vuid.startswith(area.own_ids)]
    return f"{len(own)} `{area.own_ids}*`" if own else _NONE
