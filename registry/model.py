# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""What the generator knows of Vulkan: plain data, with names resolved and nothing left to interpret.

The parser fills it (parse.py), the emitters print it (emit_*.py). Only what the Vulkan headers declare is in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from registry.explicit.model import ExplicitRule


@dataclass
class Provision:
    """The core version or the extensions that provide a name, or both."""

    # (1, 3) for VK_VERSION_1_3; None when no core version has the name.
    core: tuple[int, int] | None = None
    extensions: list[str] = field(default_factory=list)


@dataclass
class Length:
    """The source of the number of elements behind a pointer. kind is an enumerator of LengthKind without its k."""

    kind: str = "One"
    # Index of the member that holds it, -1 if none does.
    member: int = -1
    # A C++ expression for MemberInfo::length_offset.
    value: str = "0"


@dataclass
class Member:
    """A structure's member or a command's parameter."""

    name: str
    # The element's type as the registry names it, e.g. VkBufferCopy.
    type_name: str
    # The C type of a parameter, arrays decayed: "const float*".
    c_type: str
    # Enumerators of MemberKind and Indirection without their k.
    kind: str = "Value"
    indirection: str = "Inline"
    length: Length = field(default_factory=Length)
    # A C++ expression for the product of a fixed array's dimensions.
    fixed_count: str = "1"
    # Index of the member that chooses the union member or object type, -1 when none.
    selector: int = -1
    # Enumerators of MemberFlag without their kMember, in their order.
    flags: list[str] = field(default_factory=list)
    # The structure, enumeration or handle that kind refers to; None when the registry does not describe it.
    type_ref: str | None = None
    # Whether the compiler may ask for sizeof(type_name).
    complete: bool = True
    # A union member's selecting enumerants.
    selections: list[str] = field(default_factory=list)


@dataclass
class Struct:
    name: str
    members: list[Member]
    structure_type: str | None = None
    union: bool = False
    returned_only: bool = False
    allow_duplicate: bool = False
    extends: list[str] = field(default_factory=list)
    extended_by: list[str] = field(default_factory=list)
    provision: Provision = field(default_factory=Provision)
    reaches_handle: bool = False
    reaches_handle_directly: bool = False


@dataclass
class Command:
    name: str
    return_type: str
    params: list[Member]
    provision: Provision
    # Enumerators of DispatchLevel, LifetimeEffect and CommandScope without their k.
    dispatch: str = "Device"
    lifetime: str = "None"
    render_pass: str = "None"
    video_coding: str = "None"
    # Enumerators of CommandTask without their kTask.
    tasks: list[str] = field(default_factory=list)
    # VkQueueFlagBits names.
    queues: list[str] = field(default_factory=list)
    primary: bool = False
    secondary: bool = False
    success_codes: list[str] = field(default_factory=list)
    error_codes: list[str] = field(default_factory=list)
    implicit_extern_sync: list[str] = field(default_factory=list)
    # "pAllocateInfo->descriptorPool": objects behind a parameter that must be externally synchronized.
    extern_sync_members: list[str] = field(default_factory=list)
    reaches_handle: bool = False
    direct_handles_only: bool = False

    @property
    def short_name(self) -> str:
        return self.name.removeprefix("vk")


@dataclass
class CommandAlias:
    name: str
    command: str
    extensions: list[str]


@dataclass
class Handle:
    name: str
    object_type: str
    dispatchable: bool
    parent: str | None
    debug_report_type: str = "VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT"


@dataclass
class EnumValue:
    name: str
    value: int
    provision: Provision


@dataclass
class Enum:
    """An enumeration, or a bitmask when flags_name is not empty."""

    name: str
    flags_name: str
    bit_width: int
    # Sorted by value, one name a value.
    values: list[EnumValue]


@dataclass
class Extension:
    name: str
    # The macro that expands to the version.
    spec_version: str
    instance: bool
    depends: str
    promoted_to: str
    promoted_to_version: tuple[int, int] | None
    provisional: bool


@dataclass
class Feature:
    """A member of a structure that enables features. Structures that share a feature have a row each, with one id."""

    name: str
    struct_name: str
    structure_type: str | None
    # An enumerator of FeatureId.
    id: str = ""


@dataclass
class ImplicitFeature:
    """A feature that is enabled by a version or an extension alone, without a structure that names it."""

    # An enumerator of FeatureId.
    feature: str
    version: tuple[int, int] | None = None
    extension: str | None = None


@dataclass
class FormatComponent:
    name: str
    bits: int
    numeric_format: str
    plane: int


@dataclass
class FormatPlane:
    width_divisor: int
    height_divisor: int
    compatible: str


@dataclass
class Format:
    name: str
    value: int
    class_name: str
    block_size: int
    texels_per_block: int
    block_extent: tuple[int, int, int]
    compressed: bool
    components: list[FormatComponent]
    planes: list[FormatPlane]

    @property
    def aspects(self) -> list[str]:
        names = {c.name for c in self.components}
        aspects = [a for c, a in (("D", "DEPTH"), ("S", "STENCIL")) if c in names] or ["COLOR"]
        aspects += [f"PLANE_{i}" for i in range(len(self.planes))]
        return [f"VK_IMAGE_ASPECT_{a}_BIT" for a in aspects]


@dataclass
class SyncStage:
    name: str
    value: int
    # VkQueueFlagBits names; None when every queue type supports the stage.
    queues: list[str] | None
    # The stages that this stage stands for, as a mask.
    expands_to: int
    single: bool


@dataclass
class SyncAccess:
    name: str
    value: int
    # Names of the single stages that can do it.
    stages: list[str]
    expands_to: int
    single: bool
    is_read: bool
    is_write: bool


@dataclass
class SyncStageAccess:
    # "COPY_TRANSFER_WRITE".
    name: str
    stage: str
    access: str
    is_read: bool
    is_write: bool


@dataclass
class SyncOrder:
    """The stages that are logically earlier and logically later than a single stage, itself included."""

    stage: str
    earlier: int
    later: int


@dataclass
class Vuid:
    id: str
    text: str
    page: str


@dataclass
class ImplicitRule:
    """An implicit rule of one member of a structure or parameter of a command."""

    # Index of its id among Registry.vuids.
    vuid: int
    # An enumerator of ImplicitRuleKind without its k.
    kind: str
    # Index of the member.
    member: int
    # If the member is a union: index of the union's member that the rule is about. Otherwise -1.
    alternative: int = -1
    # Enumerators of ImplicitRuleFlag without their kRule, in their order.
    flags: list[str] = field(default_factory=list)


@dataclass
class StageFeatureRule:
    """An explicit rule: while none of the features is enabled, the member must not contain any of the stages.

    Without stages, the member must not be 0.
    """

    # Index of its id among Registry.vuids, as in all rules.
    vuid: int
    # The structure or command.
    owner: str
    member: str
    stages: int
    # Names of features and extensions.
    features: list[str]


@dataclass
class AccessStageRule:
    """An explicit rule: with the access in the member, the stage mask of its side contains one of the stages."""

    vuid: int
    owner: str
    member: str
    access: int
    stages: int


@dataclass
class LayoutUsageRule:
    """An explicit rule: an image that is transitioned to or from the layout has one usage of each list."""

    vuid: int
    owner: str
    # The member that the id names.
    member: str
    layout: str
    usages: list[list[str]]


@dataclass
class LayoutFeatureRule:
    """An explicit rule: while the feature is not enabled the member must not be the layout."""

    vuid: int
    owner: str
    member: str
    layout: str
    feature: str


@dataclass
class Registry:
    header_version: str = ""
    commands: list[Command] = field(default_factory=list)
    aliases: list[CommandAlias] = field(default_factory=list)
    structs: list[Struct] = field(default_factory=list)
    handles: list[Handle] = field(default_factory=list)
    enums: list[Enum] = field(default_factory=list)
    extensions: list[Extension] = field(default_factory=list)
    # {("VkPhysicalDeviceLimits", "maxViewports"): "max"}, in the registry's words.
    limit_types: dict[tuple[str, str], str] = field(default_factory=dict)
    features: list[Feature] = field(default_factory=list)
    implicit_features: list[ImplicitFeature] = field(default_factory=list)
    formats: list[Format] = field(default_factory=list)
    # SpirvName of spirv/requirements.py.
    spirv_capabilities: list = field(default_factory=list)
    spirv_extensions: list = field(default_factory=list)
    sync_stages: list[SyncStage] = field(default_factory=list)
    sync_accesses: list[SyncAccess] = field(default_factory=list)
    sync_stage_accesses: list[SyncStageAccess] = field(default_factory=list)
    sync_orders: list[SyncOrder] = field(default_factory=list)
    vuids: list[Vuid] = field(default_factory=list)
    # The rules of structures and commands, by name, in the order of the members.
    rules: dict[str, list[ImplicitRule]] = field(default_factory=dict)
    stage_feature_rules: list[StageFeatureRule] = field(default_factory=list)
    access_stage_rules: list[AccessStageRule] = field(default_factory=list)
    layout_usage_rules: list[LayoutUsageRule] = field(default_factory=list)
    layout_feature_rules: list[LayoutFeatureRule] = field(default_factory=list)
    # The explicit rules that explicit_rules.py can read.
    explicit_rules: dict[str, list[ExplicitRule]] = field(default_factory=dict)
    # Those that created/object_rules.py can read, for each command.
    object_rules: list = field(default_factory=list)
    # DynamicStateRule and DynamicStateSetter of draws/draw_rules.py.
    dynamic_state_rules: list = field(default_factory=list)
    dynamic_state_setters: list = field(default_factory=list)
