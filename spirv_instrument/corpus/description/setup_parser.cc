// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/description/setup_parser.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "spirv_instrument/corpus/description/formats.h"
#include "spirv_instrument/corpus/description/image_types.h"
#include "spirv_instrument/corpus/description/values.h"

namespace assay::spirv_instrument::corpus {
namespace {

// Large enough for every directive of the corpus; a larger one is a slip.
constexpr uint64_t kMaxBytes = 1u << 24;

// Takes the arguments of a directive in order. After an argument that it cannot read, it returns zeros, and `status`
// says which one it was.
class Arguments {
 public:
  explicit Arguments(const Directive& directive) : directive_(directive) {}

  bool AtEnd() const { return next_ == directive_.arguments.size(); }

  absl::string_view Word(absl::string_view what) {
    if (!AtEnd()) return directive_.arguments[next_++];
    Fail(absl::StrCat("there is no ", what));
    return "";
  }

  template <class Integer>
  Integer Number(absl::string_view what) {
    return ToNumber<Integer>(Word(what), what);
  }

  template <class Integer>
  Integer ToNumber(absl::string_view word, absl::string_view what) {
    Integer value = 0;
    if (status.ok() && !absl::SimpleAtoi(word, &value)) Fail(absl::StrCat("'", word, "' is no ", what));
    return value;
  }

  VkFormat Format() {
    const absl::string_view word = Word("format");
    const VkFormat format = FormatByName(word);
    if (format == VK_FORMAT_UNDEFINED) Fail(absl::StrCat("'", word, "' is no format"));
    return format;
  }

  // The rest of the arguments: NAME=VALUE or NAME.
  template <class Function>
  void Options(const Function& take) {
    while (status.ok() && !AtEnd()) {
      const std::pair<absl::string_view, absl::string_view> option =
          absl::StrSplit(absl::string_view(directive_.arguments[next_++]), absl::MaxSplits('=', 1));
      if (!take(option.first, option.second)) Fail(absl::StrCat("'", option.first, "' is no option"));
    }
  }

  Contents Values(absl::string_view text) {
    absl::StatusOr<Contents> contents = ParseValues(text);
    if (contents.ok()) return *std::move(contents);
    Fail(contents.status().message());
    return {};
  }

  void Fail(absl::string_view message) {
    if (status.ok()) status = absl::InvalidArgumentError(message);
  }

  absl::Status End() {
    if (!AtEnd()) Fail(absl::StrCat("'", directive_.arguments[next_], "' is one argument too many"));
    return status;
  }

  absl::Status status;

 private:
  const Directive& directive_;
  size_t next_ = 0;
};

template <class T, class Key>
void Replace(std::vector<T>& list, T value, Key T::* key) {
  auto found = std::ranges::find(list, value.*key, key);
  if (found == list.end()) {
    list.push_back(std::move(value));
  } else {
    *found = std::move(value);
  }
}

absl::Status ParseBuffer(const Directive& directive, Setup& setup) {
  Arguments arguments(directive);
  BufferDescription buffer = {.name = std::string(arguments.Word("name"))};
  buffer.size = arguments.Number<uint64_t>("size");
  buffer.contents = arguments.Values(directive.values);
  if (buffer.size == 0 || buffer.size > kMaxBytes) arguments.Fail("the size is not sensible");
  if (buffer.contents.bytes.size() > buffer.size) arguments.Fail("the contents are larger than the buffer");
  Replace(setup.buffers, std::move(buffer), &BufferDescription::name);
  return arguments.End();
}

void ParseExtent(Arguments& arguments, ImageDescription& image) {
  const std::vector<absl::string_view> sizes = absl::StrSplit(arguments.Word("extent"), 'x');
  if (sizes.size() > 3) arguments.Fail("an extent has three sizes at most");
  uint32_t* const members[] = {&image.extent.width, &image.extent.height, &image.extent.depth};
  for (size_t i = 0; i < std::min<size_t>(sizes.size(), 3); ++i) {
    *members[i] = arguments.ToNumber<uint32_t>(sizes[i], "size");
    if (*members[i] == 0 || *members[i] > 4096) arguments.Fail("the extent is not sensible");
  }
}

absl::Status ParseImage(const Directive& directive, Setup& setup) {
  Arguments arguments(directive);
  ImageDescription image = {.name = std::string(arguments.Word("name"))};
  image.type = ImageViewTypeByName(arguments.Word("type"));
  if (image.type == VK_IMAGE_VIEW_TYPE_MAX_ENUM) arguments.Fail("there is no such type of images");
  image.format = arguments.Format();
  ParseExtent(arguments, image);
  const bool is_cube = image.type == VK_IMAGE_VIEW_TYPE_CUBE || image.type == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
  image.layers = is_cube ? 6 : 1;
  arguments.Options([&](absl::string_view name, absl::string_view value) {
    const uint32_t number = arguments.ToNumber<uint32_t>(value, name);
    if (number == 0 || number > 64) arguments.Fail("a count is not sensible");
    if (name == "levels") image.levels = number;
    if (name == "layers") image.layers = number;
    if (name == "samples") image.samples = static_cast<VkSampleCountFlagBits>(number);
    return name == "levels" || name == "layers" || name == "samples";
  });
  image.contents = arguments.Values(directive.values);
  const bool has_samples = image.samples != VK_SAMPLE_COUNT_1_BIT;
  const uint64_t size = has_samples ? TexelSize(image.format) : LevelOffset(image, image.levels);
  if (image.contents.bytes.size() > size) arguments.Fail("the contents are larger than the image");
  Replace(setup.images, std::move(image), &ImageDescription::name);
  return arguments.End();
}

absl::Status ParseSampler(const Directive& directive, Setup& setup) {
  Arguments arguments(directive);
  SamplerDescription sampler = {.name = std::string(arguments.Word("name"))};
  arguments.Options([&](absl::string_view name, absl::string_view) {
    if (name == "linear") sampler.filter = VK_FILTER_LINEAR;
    if (name == "unnormalized") sampler.unnormalized = true;
    if (name == "compare") sampler.compare = true;
    return name == "linear" || name == "unnormalized" || name == "compare";
  });
  Replace(setup.samplers, std::move(sampler), &SamplerDescription::name);
  return arguments.End();
}

absl::Status ParseScene(const Directive& directive, Setup& setup) {
  Arguments arguments(directive);
  SceneDescription scene = {.name = std::string(arguments.Word("name"))};
  const absl::string_view kind = arguments.Word("kind");
  scene.is_boxes = kind == "boxes";
  if (!scene.is_boxes && kind != "triangles") arguments.Fail("a scene has triangles or boxes");
  scene.contents = arguments.Values(directive.values);
  if (scene.contents.bytes.empty() || scene.contents.bytes.size() % (scene.is_boxes ? 24 : 36) != 0) {
    arguments.Fail("the values are not a number of whole triangles or boxes");
  }
  Replace(setup.scenes, std::move(scene), &SceneDescription::name);
  return arguments.End();
}

absl::Status ParseVertices(const Directive& directive, Setup& setup) {
  Arguments arguments(directive);
  VertexBufferDescription vertices = {.binding = arguments.Number<uint32_t>("binding")};
  vertices.stride = arguments.Number<uint32_t>("stride");
  const std::vector<absl::string_view> place = absl::StrSplit(arguments.Word("buffer"), '+');
  vertices.buffer = std::string(place[0]);
  if (place.size() > 1) vertices.offset = arguments.ToNumber<uint64_t>(place[1], "offset");
  arguments.Options([&](absl::string_view name, absl::string_view) {
    vertices.rate = VK_VERTEX_INPUT_RATE_INSTANCE;
    return name == "instance";
  });
  Replace(setup.vertex_buffers, std::move(vertices), &VertexBufferDescription::binding);
  return arguments.End();
}

absl::Status ParseAttribute(const Directive& directive, Setup& setup) {
  Arguments arguments(directive);
  VertexAttributeDescription attribute = {.location = arguments.Number<uint32_t>("location")};
  attribute.binding = arguments.Number<uint32_t>("binding");
  attribute.format = arguments.Format();
  attribute.offset = arguments.Number<uint32_t>("offset");
  Replace(setup.vertex_attributes, attribute, &VertexAttributeDescription::location);
  return arguments.End();
}

absl::Status ParseSize(const Directive& directive, Work::Kind kind, Setup& setup) {
  Arguments arguments(directive);
  setup.work = {.kind = kind};
  setup.work.size[0] = arguments.Number<uint32_t>("size");
  for (size_t i = 1; i < 3 && !arguments.AtEnd(); ++i) setup.work.size[i] = arguments.Number<uint32_t>("size");
  return arguments.End();
}

VkPrimitiveTopology TopologyByName(absl::string_view name) {
  if (name == "points") return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  if (name == "lines") return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  if (name == "triangles") return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  if (name == "strip") return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  if (name == "patches") return VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  return VK_PRIMITIVE_TOPOLOGY_MAX_ENUM;
}

absl::Status ParseDraw(const Directive& directive, Setup& setup) {
  Arguments arguments(directive);
  Work work = {.kind = Work::Kind::kDraw, .vertices = arguments.Number<uint32_t>("number of vertices")};
  arguments.Options([&](absl::string_view name, absl::string_view value) {
    if (name == "indices") {
      work.kind = Work::Kind::kDrawIndexed;
      work.index_buffer = std::string(value);
      return true;
    }
    if (name == "topology") {
      work.topology = TopologyByName(value);
      return work.topology != VK_PRIMITIVE_TOPOLOGY_MAX_ENUM;
    }
    const uint32_t number = arguments.ToNumber<uint32_t>(value, name);
    if (name == "instances") work.instances = number;
    if (name == "first") work.first_vertex = number;
    if (name == "first_instance") work.first_instance = number;
    if (name == "patch") work.patch_vertices = number;
    return name == "instances" || name == "first" || name == "first_instance" || name == "patch";
  });
  setup.work = std::move(work);
  return arguments.End();
}

absl::Status ParsePushConstants(const Directive& directive, Setup& setup) {
  absl::StatusOr<Contents> contents = ParseValues(directive.rest);
  if (!contents.ok()) return contents.status();
  setup.push_constants = *std::move(contents);
  return absl::OkStatus();
}

absl::Status ParseSpecialization(const Directive& directive, Setup& setup) {
  Arguments arguments(directive);
  SpecializationConstant constant = {.id = arguments.Number<uint32_t>("constant id")};
  const size_t id_end = directive.rest.find(' ');
  if (id_end != std::string::npos) constant.value = arguments.Values(directive.rest.substr(id_end)).bytes;
  if (constant.value.empty()) arguments.Fail("the constant has no value");
  Replace(setup.specialization, std::move(constant), &SpecializationConstant::id);
  return arguments.status;
}

// The bytes that replace some of the contents, and the addresses in them.
void Overwrite(Contents& contents, uint64_t offset, const Contents& with) {
  const uint64_t end = offset + with.bytes.size();
  if (contents.bytes.size() < end) contents.bytes.resize(end);
  std::ranges::copy(with.bytes, contents.bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  std::erase_if(contents.addresses,
                [&](const AddressInContents& address) { return address.offset + 8 > offset && address.offset < end; });
  for (AddressInContents address : with.addresses) {
    address.offset += offset;
    contents.addresses.push_back(std::move(address));
  }
}

absl::Status ParseWrite(const Directive& directive, Setup& setup) {
  absl::StatusOr<ExpectedContents> placed = ParsePlacedValues(directive);
  if (!placed.ok()) return placed.status();
  const uint64_t end = placed->offset + placed->contents.bytes.size();
  auto buffer = std::ranges::find(setup.buffers, placed->resource, &BufferDescription::name);
  if (buffer != setup.buffers.end()) {
    if (end > buffer->size) return absl::InvalidArgumentError("the buffer ends before that");
    Overwrite(buffer->contents, placed->offset, placed->contents);
    return absl::OkStatus();
  }
  auto image = std::ranges::find(setup.images, placed->resource, &ImageDescription::name);
  if (image == setup.images.end()) return absl::InvalidArgumentError("there is no such buffer or image");
  if (end > LevelOffset(*image, image->levels)) return absl::InvalidArgumentError("the image ends before that");
  Overwrite(image->contents, placed->offset, placed->contents);
  return absl::OkStatus();
}

absl::Status AddBinding(const Directive& directive, Setup& setup) {
  absl::StatusOr<BindingDescription> binding = ParseBinding(directive);
  if (!binding.ok()) return binding.status();
  std::erase_if(setup.bindings, [&](const BindingDescription& other) {
    return other.set == binding->set && other.binding == binding->binding;
  });
  setup.bindings.push_back(*std::move(binding));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ExpectedContents> ParsePlacedValues(const Directive& directive) {
  Arguments arguments(directive);
  ExpectedContents placed = {.resource = std::string(arguments.Word("name"))};
  placed.offset = arguments.Number<uint64_t>("offset");
  placed.contents = arguments.Values(directive.values);
  if (placed.offset > kMaxBytes) arguments.Fail("the offset is not sensible");
  if (placed.contents.bytes.empty()) arguments.Fail("there are no values");
  if (absl::Status status = arguments.End(); !status.ok()) return status;
  return placed;
}

absl::Status ApplyDirective(const Directive& directive, Setup& setup) {
  const std::string& word = directive.word;
  if (word == "buffer") return ParseBuffer(directive, setup);
  if (word == "image") return ParseImage(directive, setup);
  if (word == "sampler") return ParseSampler(directive, setup);
  if (word == "scene") return ParseScene(directive, setup);
  if (word == "bind") return AddBinding(directive, setup);
  if (word == "push") return ParsePushConstants(directive, setup);
  if (word == "spec") return ParseSpecialization(directive, setup);
  if (word == "vertices") return ParseVertices(directive, setup);
  if (word == "attribute") return ParseAttribute(directive, setup);
  if (word == "dispatch") return ParseSize(directive, Work::Kind::kDispatch, setup);
  if (word == "mesh") return ParseSize(directive, Work::Kind::kDrawMeshTasks, setup);
  if (word == "trace") return ParseSize(directive, Work::Kind::kTraceRays, setup);
  if (word == "draw") return ParseDraw(directive, setup);
  if (word == "write") return ParseWrite(directive, setup);
  if (word == "target") {
    setup.targets = directive.arguments;
    return absl::OkStatus();
  }
  return absl::NotFoundError(absl::StrCat("there is no directive '", word, "'"));
}

}  // namespace assay::spirv_instrument::corpus
