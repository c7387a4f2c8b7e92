# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""command_id.h, commands.h and command_data.cc: commands as types and as table rows."""

from registry import cpp

_SHARDS = 8


def command_id(registry):
    ids = "".join(f"  k{c.short_name},\n" for c in registry.commands)
    body = f"""
// Every command that is not another's alias, sorted by name.
enum class CommandId : uint16_t {{
{ids}}};
inline constexpr size_t kCommandCount = {len(registry.commands)};
"""
    return cpp.header("emit_commands.py", "command_id.h", ["<cstddef>", "<cstdint>"], body)


def _struct(command, wrapped):
    name = command.short_name
    members = "".join(f"  {p.c_type} {p.name};\n" for p in command.params)
    arguments = ", ".join(f"c.{p.name}" for p in command.params)
    return f"""struct {name} {{
  using Function = PFN_{command.name};
  using Result = {command.return_type};
  static constexpr CommandId kId = CommandId::k{name};
  static constexpr std::string_view kName{cpp.view(command.name)};
  static constexpr DispatchLevel kDispatch = DispatchLevel::k{command.dispatch};
  static constexpr uint8_t kTasks = {cpp.joined(command.tasks, "kTask")};
  static constexpr VkQueueFlags kQueues = {cpp.joined(command.queues)};
  static constexpr bool kPrimary = {cpp.boolean(command.primary)}, kSecondary = {cpp.boolean(command.secondary)};
  static constexpr CommandScope kRenderPass = CommandScope::k{command.render_pass};
  static constexpr CommandScope kVideoCoding = CommandScope::k{command.video_coding};
  static constexpr LifetimeEffect kLifetime = LifetimeEffect::k{command.lifetime};
  static constexpr bool kReachesHandle = {cpp.boolean(command.reaches_handle)};
  static constexpr bool kDirectHandlesOnly = {cpp.boolean(command.direct_handles_only)};
{members}}};
inline {name}::Result CallDown(const {name}& c, {name}::Function f) {{ return f({arguments}); }}
{_translating_call(command, wrapped)}"""


def _translating_call(command, wrapped):
    """CallDown that applies a function to each non-dispatchable handle; for commands with handles by value only."""
    if not command.direct_handles_only:
        return ""
    name = command.short_name
    arguments = ", ".join(f"t(c.{p.name})" if p.type_name in wrapped else f"c.{p.name}" for p in command.params)
    return f"""template <class T>
{name}::Result CallDown(const {name}& c, {name}::Function f, T t) {{ return f({arguments}); }}
"""


def commands(registry):
    names = [c.short_name for c in registry.commands]
    wrapped = {h.name for h in registry.handles if not h.dispatchable}
    shards = []
    for i in range(_SHARDS):
        part = names[i * len(names) // _SHARDS:(i + 1) * len(names) // _SHARDS]
        shards.append(f"#define ASSAY_VK_COMMANDS_{i}(X) \\\n" + " \\\n".join(f"  X({n})" for n in part) + "\n")
    all_shards = " ".join(f"ASSAY_VK_COMMANDS_{i}(X)" for i in range(_SHARDS))
    body = f"""
// A command is a type: its parameters in order (arrays as pointers) and what the registry knows of it.
//
//   Function, Result    the function pointer's type and what it returns
//   kId, kName          the name with its vk
//   kDispatch           the kind of the first parameter, or kGlobal
//   kTasks              bits of CommandTask
//   kQueues             queue types a command buffer's pool must be of; 0 for commands that are not recorded
//   kPrimary, kSecondary, kRenderPass, kVideoCoding   where it may be recorded
//   kLifetime           what it does to the handles that pass through it
//   kReachesHandle      a non-dispatchable handle can be reached through a parameter, in or out, pNext \
chains and uint64_t handles included
//   kDirectHandlesOnly  some are reached, and each is a parameter of a handle type by value
//
// CallDown(command, function) calls function with the parameters. For commands with kDirectHandlesOnly there is also
// CallDown(command, function, translate), which passes translate(handle) for each non-dispatchable handle.
{chr(10).join(_struct(c, wrapped) for c in registry.commands)}
// X(CmdCopyBuffer) for every command, and for an eighth of them each.
{chr(10).join(shards)}
#define ASSAY_VK_COMMANDS(X) {all_shards}

template <class T>
struct CommandTag {{
  using Command = T;
}};

// Calls f(CommandTag<CmdCopyBuffer>{{}}) for every command, in the order of their ids.
template <class F>
constexpr void ForEachCommand(F&& f) {{
#define ASSAY_VK_CALL(Name) f(CommandTag<Name>{{}});
  ASSAY_VK_COMMANDS(ASSAY_VK_CALL)
#undef ASSAY_VK_CALL
}}
"""
    return cpp.header("emit_commands.py", "commands.h",
                      ["<cstdint>", "<string_view>", '"vk/command_enums.h"', '"vk/command_id.h"', '"vk/vulkan.h"'],
                      body)


def command_data(registry):
    extension_ids = {e.name: i for i, e in enumerate(registry.extensions)}
    extensions = cpp.Pool("kBroughtBy", "uint16_t")
    codes = cpp.Pool("kCodes", "int32_t")
    words = cpp.Pool("kWords", "std::string_view")

    def extension_span(names):
        return extensions.span(sorted(extension_ids[n] for n in names))

    def word_span(texts):
        return words.span(cpp.view(t) for t in texts)

    rows = []
    for i, c in enumerate(registry.commands):
        rows.append(
            f"{{{cpp.view(c.name)}, &kCommandParameters[{i}], CommandId::k{c.short_name}, "
            f"DispatchLevel::k{c.dispatch}, LifetimeEffect::k{c.lifetime}, {cpp.joined(c.tasks, 'kTask')}, "
            f"{cpp.joined(c.queues)}, {cpp.boolean(c.primary)}, {cpp.boolean(c.secondary)}, "
            f"CommandScope::k{c.render_pass}, CommandScope::k{c.video_coding}, {cpp.version(c.provision.core)}, "
            f"{extension_span(c.provision.extensions)}, {codes.span(c.success_codes)}, {codes.span(c.error_codes)}, "
            f"{word_span(c.implicit_extern_sync)}, {word_span(c.extern_sync_members)}}}")
    aliases = [
        f"{{{cpp.view(a.name)}, CommandId::k{a.command.removeprefix('vk')}, {extension_span(a.extensions)}}}"
        for a in sorted(registry.aliases, key=lambda a: a.name)
    ]
    body = "namespace {\n" + extensions.definition() + codes.definition() + words.definition() + "}  // namespace\n\n"
    body += cpp.table("CommandInfo", "kCommands", rows)
    body += cpp.table("CommandAlias", "kCommandAliases", aliases)
    body += f"constinit const size_t kCommandAliasCount = {len(aliases)};\n"
    return cpp.source("emit_commands.py", ['"vk/command_tables.h"', '"vk/struct_tables.h"'], body)


def outputs(registry):
    return {
        "command_id.h": command_id(registry),
        "commands.h": commands(registry),
        "command_data.cc": command_data(registry)
    }
