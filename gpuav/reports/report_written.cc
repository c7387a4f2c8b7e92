// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/reports/report_written.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gpuav/pipelines/shader_objects.h"
#include "gpuav/reports/fault_text.h"
#include "gpuav/reports/layout_faults.h"
#include "gpuav/reports/noted_faults.h"
#include "gpuav/reports/properties.h"
#include "spirv_instrument/grammar/grammar.h"
#include "spirv_instrument/runtime/records.h"
#include "vk/command_info.h"

namespace assay::gpuav {
namespace {

using spirv_instrument::ErrorCode;
using spirv_instrument::ErrorRecord;
using spirv_instrument::SourceLocation;
using SetLayouts = absl::Span<const state::Ref<state::DescriptorSetLayout>>;

// Where a record comes from.
struct Origin {
  Action action = {};
  InstrumentedShader shader;
  std::shared_ptr<const ShaderText> text;
  std::optional<SourceLocation> source;
  std::string instruction;
};

class WrittenReport {
 public:
  WrittenReport(const Context& context, ShaderRegistry& shaders, CauseLimits& limits, const Written& written)
      : context_(context), shaders_(shaders), limits_(limits), written_(written) {}

  void ReportAll() {
    const spirv_instrument::ErrorStream errors = spirv_instrument::ReadErrors(written_.errors);
    const NotedFaults noted(shaders_, written_);
    std::vector<WrittenFault> faults(noted.faults().begin(), noted.faults().end());
    for (size_t i = written_.read_errors; i < errors.records.size(); ++i) {
      faults.push_back({errors.records[i], spirv_instrument::FaultsOf(written_.causes, errors.records[i].cause)});
    }
    for (size_t i = 0; i < written_.layout_faults.size(); ++i)
      faults.push_back({RecordOf(written_.layout_faults[i], i), 1});
    // The device may execute commands side by side.
    std::ranges::stable_sort(faults, {}, [](const WrittenFault& fault) { return fault.record.action; });
    for (const WrittenFault& fault : faults) ReportFault(fault.record, fault.count);
    ReportUnsaid();
    const spirv_instrument::ErrorStream prints = spirv_instrument::ReadErrors(written_.output);
    for (size_t i = written_.read_prints; i < prints.records.size(); ++i) ReportPrint(prints.records[i]);
    const uint32_t lost = errors.lost_records + errors.lost_faults + written_.lost_notes;
    if (lost != 0) {
      Deliver(vk::CommandId::kQueueSubmit, "ASSAY-gpuav-lost-records", messages::Severity::kWarning,
              absl::StrCat("There was no room for ", lost, " more faults of the shaders of ", CommandBuffer(), "."));
    }
    if (prints.lost_records != 0) {
      Deliver(vk::CommandId::kQueueSubmit, "ASSAY-printf-lost", messages::Severity::kWarning,
              absl::StrCat("There was no room for ", prints.lost_records, " more messages that the shaders of ",
                           CommandBuffer(), " print. printf_buffer_size (", context_.settings().printf_buffer_size,
                           ") says how much room there is."));
    }
  }

 private:
  std::string Describe(messages::ObjectRef object) const { return context_.reporter().Describe(object); }
  std::string CommandBuffer() const { return Describe(messages::Object(written_.log->command_buffer)); }

  void Deliver(vk::CommandId command, std::string_view id, messages::Severity severity, std::string text) {
    messages::Report report(context_.reporter(), command);
    report.Deliver({.severity = severity,
                    .id = std::string(id),
                    .text = std::move(text),
                    .objects = {messages::Object(written_.log->command_buffer)}});
  }

  Origin OriginOf(const ErrorRecord& record) {
    Origin origin;
    if (record.action < written_.log->actions.size()) origin.action = written_.log->actions[record.action];
    origin.shader = shaders_.Find(record.shader_id);
    origin.text = shaders_.TextOf(record.shader_id);
    if (origin.text == nullptr) return origin;
    const spirv_instrument::Instruction instruction = origin.text->module.At(record.instruction);
    if (!instruction) return origin;
    origin.source = origin.text->locations.Of(instruction);
    origin.instruction = spirv_instrument::NameOf(instruction.op());
    return origin;
  }

  static bool NamesDescriptor(ErrorCode code) {
    const auto number = static_cast<uint32_t>(code);
    return number >= static_cast<uint32_t>(ErrorCode::kDescriptorIndexOutOfBounds) &&
           number <= static_cast<uint32_t>(ErrorCode::kTexelBufferOutOfBounds);
  }
  static bool NamesAddress(ErrorCode code) {
    return code == ErrorCode::kAddressOutOfBounds || code == ErrorCode::kAddressAcrossEnd;
  }

  // The pipeline that the shader is of: where it is of an execution set, not the one that is bound. Null with shader
  // objects, and if such a one is gone.
  static VkPipeline PipelineOf(const Origin& origin) {
    return origin.shader.may_be_in_sets ? origin.shader.pipeline : origin.action.pipeline;
  }

  // Those of the pipeline, which are those of all in an execution set, or of the shader object. None if it was
  // destroyed.
  static SetLayouts SetLayoutsOf(const Origin& origin) {
    if (origin.shader.object != VK_NULL_HANDLE) {
      const auto* shader = state::DeviceState::Get<state::Shader>(origin.shader.object);
      const auto* data = shader != nullptr ? shader->Sub<ShaderObjectData>() : nullptr;
      return data != nullptr ? SetLayouts(data->set_layouts()) : SetLayouts();
    }
    const auto* pipeline = state::DeviceState::Get<state::Pipeline>(origin.action.pipeline);
    return pipeline != nullptr && pipeline->layout ? SetLayouts(pipeline->layout->set_layouts) : SetLayouts();
  }

  void AddDescriptor(const Origin& origin, const ErrorRecord& record, FaultFacts& facts, messages::Message& message) {
    // A set that was pushed is not there any more; its layout is that of the pipeline or shader object.
    const SetLayouts layouts = SetLayoutsOf(origin);
    const uint32_t number = record.data[0];
    facts.is_shader_object = origin.shader.object != VK_NULL_HANDLE;
    if (number < layouts.size() && layouts[number]) {
      const auto* binding = layouts[number]->Find(record.data[1]);
      if (binding != nullptr) {
        facts.descriptor_type = binding->type;
        facts.is_in_descriptor_buffer = binding->buffer_offset.has_value();
      }
    }
    const VkDescriptorSet handle = written_.log->SetOf(origin.action, record.data[0]);
    const auto* set = state::DeviceState::Get<state::DescriptorSet>(handle);
    if (set == nullptr) return;
    message.objects.push_back(messages::Object(handle));
    const auto* binding = set->contents.layout().Find(record.data[1]);
    if (binding == nullptr) return;
    const state::Descriptor descriptor = set->contents.Read(*binding, record.data[2]);
    messages::ObjectRef resource = {VK_OBJECT_TYPE_UNKNOWN, descriptor.resource};
    switch (descriptor.kind) {
      case state::Descriptor::Kind::kBuffer:
        resource.type = VK_OBJECT_TYPE_BUFFER;
        break;
      case state::Descriptor::Kind::kTexelBuffer:
        resource.type = VK_OBJECT_TYPE_BUFFER_VIEW;
        break;
      case state::Descriptor::Kind::kImage:
        resource.type = VK_OBJECT_TYPE_IMAGE_VIEW;
        break;
      default:
        return;
    }
    facts.resource = absl::StrCat(" (", Describe(resource), ")");
    if (record.code != ErrorCode::kDescriptorDestroyed) message.objects.push_back(resource);
  }

  // Of the buffers whose addresses are within a megabyte of the record's.
  void AddAddress(const ErrorRecord& record, FaultFacts& facts) const {
    constexpr VkDeviceSize kAround = VkDeviceSize{1} << 20;
    const VkDeviceAddress address = VkDeviceAddress{record.data[1]} << 32 | record.data[0];
    const VkDeviceAddress from = address > kAround ? address - kAround : 0;
    VkDeviceSize nearest = UINT64_MAX;
    for (const state::Ref<state::Buffer>& buffer : context_.state().buffer_addresses().Find(from, 2 * kAround)) {
      const VkDeviceAddress begin = buffer->device_address;
      const VkDeviceAddress end = begin + buffer->size;
      const bool is_before = end <= address;
      const VkDeviceSize distance = is_before ? address - end : begin > address ? begin - address : 0;
      if (distance >= nearest) continue;
      nearest = distance;
      const messages::ObjectRef object = {VK_OBJECT_TYPE_BUFFER, buffer->handle()};
      facts.nearest_buffer =
          distance == 0 && !is_before
              ? absl::StrCat("it is in ", Describe(object), " of ", buffer->size, " bytes")
              : absl::StrCat("it is ", distance, " bytes ", is_before ? "behind the end" : "before the begin", " of ",
                             Describe(object), " of ", buffer->size, " bytes, which is the nearest");
    }
  }

  // Who it was: instruction, source, shader, pipeline or shader object, command buffer.
  std::string WhereText(const Origin& origin, const ErrorRecord& record) const {
    std::string text = absl::StrCat(" SPIR-V instruction ", record.instruction);
    if (!origin.instruction.empty()) absl::StrAppend(&text, " (", origin.instruction, ")");
    absl::StrAppend(&text, " of the ", StageName(origin.shader.stage), " shader \"",
                    messages::EscapeName(origin.shader.entry_point), "\"");
    if (origin.shader.module != VK_NULL_HANDLE) {
      absl::StrAppend(&text, " of ", Describe(messages::Object(origin.shader.module)));
    }
    if (origin.shader.object != VK_NULL_HANDLE) {
      absl::StrAppend(&text, " of ", Describe(messages::Object(origin.shader.object)));
    }
    if (const VkPipeline pipeline = PipelineOf(origin)) {
      absl::StrAppend(&text, " in ", Describe(messages::Object(pipeline)));
    }
    absl::StrAppend(&text, ", recorded as command ", origin.action.position, " of ", CommandBuffer(), ".");
    if (origin.source && origin.source->line != 0) {
      const std::string& file = origin.source->file;
      absl::StrAppend(&text, " ", file.empty() ? "line " : absl::StrCat(messages::EscapeName(file), ":"),
                      origin.source->line);
      if (origin.source->column != 0) absl::StrAppend(&text, ":", origin.source->column);
      const std::string_view line = absl::StripAsciiWhitespace(origin.source->text);
      if (!line.empty()) absl::StrAppend(&text, ": ", messages::EscapeName(line));
    }
    return text;
  }

  static std::string_view StageName(VkShaderStageFlagBits stage) {
    switch (stage) {
      case VK_SHADER_STAGE_VERTEX_BIT:
        return "vertex";
      case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
        return "tessellation control";
      case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
        return "tessellation evaluation";
      case VK_SHADER_STAGE_GEOMETRY_BIT:
        return "geometry";
      case VK_SHADER_STAGE_FRAGMENT_BIT:
        return "fragment";
      case VK_SHADER_STAGE_COMPUTE_BIT:
        return "compute";
      case VK_SHADER_STAGE_TASK_BIT_EXT:
        return "task";
      case VK_SHADER_STAGE_MESH_BIT_EXT:
        return "mesh";
      default:
        return "ray tracing";
    }
  }

  void AddLabels(const Origin& origin, messages::Message& message) const {
    const auto labels = written_.log->labels.find(origin.action.label_path);
    if (labels == written_.log->labels.end()) return;
    for (const std::string& label : labels->second) message.command_buffer_labels.push_back({label});
  }

  void ReportFault(const ErrorRecord& record, uint32_t count) {
    Origin origin = OriginOf(record);
    const bool is_layout = record.code == ErrorCode::kImageLayout;
    if (origin.shader.has_faults != nullptr && !is_layout)
      origin.shader.has_faults->store(true, std::memory_order_relaxed);
    messages::Report report(context_.reporter(), origin.action.command);
    messages::Message message;
    // The same instruction of the same shader, whichever frame it is in.
    const VkPipeline pipeline = PipelineOf(origin);
    message.cause = absl::HashOf(pipeline, origin.shader.module, origin.shader.object, origin.shader.stage,
                                 record.instruction, static_cast<uint32_t>(record.code), origin.action.command);
    if (message.cause == 0) message.cause = 1;
    if (report.CountIfDuplicate(message.cause)) return;
    message.objects = {messages::Object(written_.log->command_buffer)};
    if (origin.shader.object != VK_NULL_HANDLE) message.objects.push_back(messages::Object(origin.shader.object));
    if (pipeline != VK_NULL_HANDLE) message.objects.push_back(messages::Object(pipeline));
    FaultFacts facts = {.command = vk::GetCommandInfo(origin.action.command).name, .instruction = origin.instruction};
    if (NamesDescriptor(record.code)) AddDescriptor(origin, record, facts, message);
    if (NamesAddress(record.code)) AddAddress(record, facts);
    if (is_layout) {
      const LayoutFault& of_layout = written_.layout_faults[record.cause];
      facts.descriptor_type = of_layout.image.type;
      facts.layout = LayoutText(of_layout, context_.reporter());
      AddLayout(of_layout, message);
    }
    FaultText fault = TextOf(record, facts);
    const bool is_harmless = fault.is_bounds && origin.shader.has_robust_buffers;
    if (is_harmless && !context_.settings().gpuav_warn_on_robust_oob) return;
    if (context_.settings().enable_message_limit && !limits_.IsWithin(KeyOf(origin.action), message.cause)) {
      ++unsaid_[record.action];
      return;
    }
    message.severity = is_harmless ? messages::Severity::kWarning : messages::Severity::kError;
    message.id = std::string(fault.id);
    if (fault.vuid != vk::kNoVuid) {
      message.id = std::string(vk::GetVuid(fault.vuid).id);
      message.specification = std::string(vk::GetVuid(fault.vuid).text);
    }
    message.text = std::move(fault.text);
    if (is_harmless) absl::StrAppend(&message.text, " Robust access to buffers makes that harmless.");
    if (!is_layout) {
      absl::StrAppend(&message.text, count > 1 ? absl::StrCat(" It happened ", count, " times, first in ") : " It was ",
                      InvocationText(record), ".");
    }
    message.text += WhereText(origin, record);
    if (written_.is_device_lost) absl::StrAppend(&message.text, " The device is lost.");
    AddLabels(origin, message);
    message.properties = FaultProperties(origin, record, count);
    report.Deliver(std::move(message));
  }

  messages::Properties FaultProperties(const Origin& origin, const ErrorRecord& record, uint32_t count) const {
    messages::Properties properties = {{"command", vk::GetCommandInfo(origin.action.command).name},
                                       {"position", uint64_t{origin.action.position}},
                                       {"stage", StageName(origin.shader.stage)},
                                       {"entry_point", origin.shader.entry_point}};
    if (record.code == ErrorCode::kImageLayout) {
      for (messages::Property& property : PropertiesOf(written_.layout_faults[record.cause])) {
        properties.push_back(std::move(property));
      }
    } else {
      properties.push_back({"invocations", uint64_t{count}});
    }
    for (messages::Property& property : PropertiesOf(record)) properties.push_back(std::move(property));
    if (!origin.instruction.empty()) properties.push_back({"operation", origin.instruction});
    if (origin.shader.module != VK_NULL_HANDLE) {
      properties.push_back(
          {"shader_module", PropertiesOf(messages::Object(origin.shader.module), context_.reporter())});
    }
    if (origin.source && origin.source->line != 0) {
      properties.push_back({"source", messages::Properties{{"file", origin.source->file},
                                                           {"line", uint64_t{origin.source->line}},
                                                           {"column", uint64_t{origin.source->column}}}});
    }
    return properties;
  }

  // A command, whichever frame it is in.
  static uint64_t KeyOf(const Action& action) { return absl::HashOf(action.pipeline, action.command); }

  // The faults over the limit of their commands.
  void ReportUnsaid() {
    for (const auto& [index, count] : unsaid_) {
      const Action action = index < written_.log->actions.size() ? written_.log->actions[index] : Action();
      messages::Report report(context_.reporter(), action.command);
      messages::Message message = {.severity = messages::Severity::kWarning, .id = "ASSAY-gpuav-command-limit"};
      message.cause = absl::HashOf(KeyOf(action), message.id);
      message.text = absl::StrCat("Its shaders have ", count, " more faults in ", CommandBuffer(),
                                  ", where it is command ", action.position, ". They are not shown, since ",
                                  CauseLimits::kCausesOfCommand, " different ones of the command were.");
      message.fix = "Set enable_message_limit = false to see all.";
      message.objects = {messages::Object(written_.log->command_buffer)};
      if (action.pipeline != VK_NULL_HANDLE) message.objects.push_back(messages::Object(action.pipeline));
      report.Deliver(std::move(message));
    }
  }

  void ReportPrint(const ErrorRecord& record) {
    const Origin origin = OriginOf(record);
    if (origin.text == nullptr) return;
    std::string text = origin.text->prints.Text(record.instruction, record.data);
    const dispatch::Settings& settings = context_.settings();
    if (settings.printf_verbose) {
      absl::StrAppend(&text, "\n", vk::GetCommandInfo(origin.action.command).name, "(): ", InvocationText(record), ".",
                      WhereText(origin, record));
    }
    if (settings.printf_to_stdout) {
      if (text.empty() || text.back() != '\n') text += '\n';
      std::fwrite(text.data(), 1, text.size(), stdout);
      std::fflush(stdout);
      return;
    }
    messages::Report report(context_.reporter(), origin.action.command);
    messages::Message message = {.severity = messages::Severity::kInformation,
                                 .id = "WARNING-DEBUG-PRINTF",
                                 .text = std::move(text),
                                 .objects = {messages::Object(written_.log->command_buffer)}};
    AddLabels(origin, message);
    report.Deliver(std::move(message));
  }

  const Context& context_;
  ShaderRegistry& shaders_;
  CauseLimits& limits_;
  const Written& written_;
  // By the index of an action: how many of its faults are over the limit.
  std::map<uint32_t, uint32_t> unsaid_;
};

}  // namespace

void ReportWritten(const Context& context, ShaderRegistry& shaders, CauseLimits& limits, const Written& written) {
  WrittenReport(context, shaders, limits, written).ReportAll();
}

}  // namespace assay::gpuav
