// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/builtins/builtin_shader.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "spirv_instrument/grammar/grammar.h"
#include "vk/spirv/spirv_info.h"

namespace assay::core {

using spirv_instrument::EnumerantInfo;
using spirv_instrument::OperandKind;
using vk::BuiltInScalar;

namespace {

template <typename E>
const EnumerantInfo& Info(OperandKind kind, E value) {
  return *spirv_instrument::FindEnumerant(kind, static_cast<uint32_t>(value));
}

template <typename E>
std::string Name(OperandKind kind, E value) {
  return std::string(Info(kind, value).name);
}

// What a module declares so that it may use enumerants.
class Requirements {
 public:
  explicit Requirements(const BuiltInShader& shader) : shader_(shader) {
    Add(Info(OperandKind::kExecutionModel, shader.model));
    Add(Info(OperandKind::kBuiltIn, shader.built_in));
    for (spv::Decoration decoration : shader.decorations) Add(Info(OperandKind::kDecoration, decoration));
    if (shader.mode) Add(Info(OperandKind::kExecutionMode, *shader.mode));
  }

  std::string Text() const {
    std::string text;
    for (const std::string& name : capabilities_) absl::StrAppend(&text, "OpCapability ", name, "\n");
    for (const std::string& name : extensions_) absl::StrAppend(&text, "OpExtension \"", name, "\"\n");
    return text;
  }

 private:
  void Add(const EnumerantInfo& what) {
    if (what.capabilities.empty()) return AddExtension(what);
    const EnumerantInfo* best = nullptr;
    for (spv::Capability capability : what.capabilities) {
      const EnumerantInfo& info = Info(OperandKind::kCapability, capability);
      if (std::ranges::find(shader_.avoided, capability) != shader_.avoided.end()) continue;
      if (capabilities_.contains(std::string(info.name))) return;
      if (vk::FindSpirvCapability(static_cast<uint32_t>(capability)) == nullptr) continue;
      if (best == nullptr || Rank(info.name) < Rank(best->name)) best = &info;
    }
    capabilities_.insert(std::string(best->name));
    AddExtension(*best);
  }

  // What stages other than geometry shaders need for Layer comes first, what one author has comes last.
  int Rank(std::string_view capability) const {
    const bool is_vertex =
        shader_.model == spv::ExecutionModel::Vertex || shader_.model == spv::ExecutionModel::TessellationEvaluation;
    if (is_vertex && capability.starts_with("Shader") && !capability.ends_with("EXT")) return 0;
    return capability.ends_with("NV") ? 2 : 1;
  }

  void AddExtension(const EnumerantInfo& what) {
    if (what.extensions.empty() || what.version <= spirv_instrument::NewestVersion()) return;
    if (std::ranges::find(what.extensions, shader_.extension) != what.extensions.end()) {
      extensions_.insert(shader_.extension);
      return;
    }
    const auto shared = std::ranges::find_if(what.extensions, [](std::string_view name) {
      return name.starts_with("SPV_KHR_") || name.starts_with("SPV_EXT_");
    });
    extensions_.insert(std::string(shared == what.extensions.end() ? what.extensions[0] : *shared));
  }

  const BuiltInShader& shader_;
  std::set<std::string> capabilities_ = {"Shader"};
  std::set<std::string> extensions_;
};

std::vector<std::string> ModesOf(const BuiltInShader& shader) {
  const std::string mode = shader.mode ? Name(OperandKind::kExecutionMode, *shader.mode) : std::string();
  const std::string count = absl::StrCat(kInterfaceElements);
  switch (shader.model) {
    case spv::ExecutionModel::GLCompute:
    case spv::ExecutionModel::TaskNV:
      return {"LocalSize 1 1 1"};
    case spv::ExecutionModel::Fragment:
      return mode.empty() ? std::vector<std::string>{"OriginUpperLeft"}
                          : std::vector<std::string>{"OriginUpperLeft", mode};
    case spv::ExecutionModel::MeshEXT:
    case spv::ExecutionModel::MeshNV:
      return {"LocalSize 1 1 1", absl::StrCat("OutputVertices ", count), absl::StrCat("OutputPrimitivesEXT ", count),
              mode.empty() ? "OutputTrianglesEXT" : mode};
    case spv::ExecutionModel::Geometry:
      return {"Triangles", "Invocations 1", "OutputTriangleStrip", absl::StrCat("OutputVertices ", count)};
    case spv::ExecutionModel::TessellationControl:
      return {absl::StrCat("OutputVertices ", count)};
    case spv::ExecutionModel::TessellationEvaluation:
      return {"Triangles", "SpacingEqual", "VertexOrderCcw"};
    default:
      return {};
  }
}

// Types and constants, each declared when it is first asked for.
class Declarations {
 public:
  std::string Number(uint32_t value) {
    return Declare(absl::StrCat("%number_", value), absl::StrCat("OpConstant %uint ", value));
  }
  std::string ArrayOf(const std::string& element, uint32_t size) {
    const std::string number = Number(size);
    return Declare(absl::StrCat(element, "_", size), absl::StrCat("OpTypeArray ", element, " ", number));
  }
  std::string TypeOf(const vk::BuiltInType& type, uint32_t elements) {
    std::string id = type.scalar == BuiltInScalar::kBool    ? "%bool"
                     : type.scalar == BuiltInScalar::kFloat ? "%float"
                                                            : "%uint";
    if (type.components > 1) {
      id = Declare(absl::StrCat("%v", type.components, id.substr(1)),
                   absl::StrCat("OpTypeVector ", id, " ", type.components));
    }
    if (type.columns > 1) {
      id =
          Declare(absl::StrCat("%m", type.columns, id.substr(1)), absl::StrCat("OpTypeMatrix ", id, " ", type.columns));
    }
    for (int i = 0; i < type.arrays; ++i) id = ArrayOf(id, type.size != 0 ? type.size : elements);
    return id;
  }
  std::string Declare(const std::string& id, const std::string& text) {
    if (seen_.insert(id).second) absl::StrAppend(&text_, id, " = ", text, "\n");
    return id;
  }
  const std::string& text() const { return text_; }

 private:
  std::set<std::string> seen_;
  std::string text_;
};

// The parts of the text that the built-in decides.
class Parts {
 public:
  explicit Parts(const BuiltInShader& shader) : shader_(shader), type_(types_.TypeOf(shader.type, shader.elements)) {
    if (is_constant()) {
      AddConstant();
    } else {
      AddVariable();
    }
  }

  std::string interface() const { return is_constant() ? "" : shader_.has_twin ? "%it %twin" : "%it"; }
  const std::string& globals() const { return types_.text(); }
  const std::string& body() const { return body_; }

  std::string Decorations() const {
    const bool is_block = shader_.form == BuiltInShader::Form::kBlock;
    const std::string target = is_block ? "OpMemberDecorate %block 0 " : "OpDecorate %it ";
    std::string text = is_block ? "OpDecorate %block Block\n" : "";
    absl::StrAppend(&text, target, "BuiltIn ", Name(OperandKind::kBuiltIn, shader_.built_in), "\n");
    if (shader_.model == spv::ExecutionModel::Fragment && shader_.storage == spv::StorageClass::Input &&
        shader_.type.scalar == BuiltInScalar::kInt && !is_constant()) {
      absl::StrAppend(&text, target, "Flat\n");
    }
    for (spv::Decoration decoration : shader_.decorations) {
      absl::StrAppend(&text, target, Name(OperandKind::kDecoration, decoration), "\n");
    }
    return text;
  }

 private:
  bool is_constant() const { return shader_.form == BuiltInShader::Form::kConstant; }

  // A vector of three.
  void AddConstant() {
    const bool is_float = shader_.type.scalar == BuiltInScalar::kFloat;
    const std::string one = is_float ? types_.Declare("%one", "OpConstant %float 1") : types_.Number(1);
    types_.Declare("%it", absl::StrCat("OpConstantComposite ", type_, " ", one, " ", one, " ", one));
    body_ = absl::StrCat("%part = OpCompositeExtract ", is_float ? "%float" : "%uint", " %it 0\n");
  }

  void AddVariable() {
    const std::string storage = Name(OperandKind::kStorageClass, shader_.storage);
    std::string whole = type_;
    if (shader_.form == BuiltInShader::Form::kBlock) {
      whole = types_.Declare("%block", absl::StrCat("OpTypeStruct ", type_));
    }
    if (shader_.outer_elements != 0) whole = types_.ArrayOf(whole, shader_.outer_elements);
    types_.Declare("%pointer", absl::StrCat("OpTypePointer ", storage, " ", whole));
    types_.Declare("%it", absl::StrCat("OpVariable %pointer ", storage));
    if (shader_.has_twin) types_.Declare("%twin", absl::StrCat("OpVariable %pointer ", storage));
    if (shader_.access == BuiltInShader::Access::kWhole) return AddAccess("%it", whole);
    vk::BuiltInType element = shader_.type;
    element.arrays = 0;
    const std::string accessed = types_.TypeOf(element, 0);
    types_.Declare("%element", absl::StrCat("OpTypePointer ", storage, " ", accessed));
    const std::string zero = types_.Number(0);
    const bool is_constant_index = shader_.access == BuiltInShader::Access::kConstantIndex;
    if (!is_constant_index) absl::StrAppend(&body_, "%index = OpIAdd %uint ", zero, " ", zero, "\n");
    absl::StrAppend(&body_, "%chain = OpAccessChain %element %it ", is_constant_index ? zero : "%index", "\n");
    AddAccess("%chain", accessed);
  }

  void AddAccess(const std::string& pointer, const std::string& type) {
    if (shader_.storage != spv::StorageClass::Output) {
      absl::StrAppend(&body_, "%value = OpLoad ", type, " ", pointer, "\n");
      return;
    }
    types_.Declare("%zero", absl::StrCat("OpConstantNull ", type));
    if (shader_.model == spv::ExecutionModel::MeshEXT) {
      const std::string count = types_.Number(kInterfaceElements);
      absl::StrAppend(&body_, "OpSetMeshOutputsEXT ", count, " ", count, "\n");
    }
    absl::StrAppend(&body_, "OpStore ", pointer, " %zero\n");
  }

  const BuiltInShader& shader_;
  Declarations types_;
  std::string type_;
  std::string body_;
};

}  // namespace

std::string Text(const BuiltInShader& shader) {
  const Parts parts(shader);
  std::string text =
      absl::StrCat(Requirements(shader).Text(), "OpMemoryModel Logical GLSL450\nOpEntryPoint ",
                   Name(OperandKind::kExecutionModel, shader.model), " %main \"main\" ", parts.interface(), "\n");
  for (const std::string& mode : ModesOf(shader)) absl::StrAppend(&text, "OpExecutionMode %main ", mode, "\n");
  return absl::StrCat(text, parts.Decorations(), R"(%void = OpTypeVoid
%function = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
)",
                      parts.globals(), "%main = OpFunction %void None %function\n%entry = OpLabel\n", parts.body(),
                      "OpReturn\nOpFunctionEnd\n");
}

}  // namespace assay::core
