// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/link/library.h"

#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"

namespace assay::spirv_instrument {
namespace {

// "AddressIsGood(vu2;u1;" without its parameters.
std::string_view WithoutParameters(std::string_view name) { return name.substr(0, name.find('(')); }

}  // namespace

absl::StatusOr<Library> Library::Read(absl::Span<const uint32_t> words) {
  absl::StatusOr<Module> module = Module::Read(words);
  if (!module.ok()) return module.status();
  Library library(*std::move(module));
  for (Function function : library.module_.functions()) {
    const std::string_view name = library.NameOf(function);
    if (!name.empty() && !library.functions_.try_emplace(name, function).second) {
      return absl::InvalidArgumentError(absl::StrCat("the library has two functions with the name ", name));
    }
  }
  return library;
}

Library::Library(Module module) : module_(std::move(module)), decorations_(module_) {}

Function Library::Find(std::string_view name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? Function() : found->second;
}

Id Library::FindVariable(std::string_view name) const {
  for (Instruction global : module_.section(Section::kGlobals)) {
    if (global.op() != spv::Op::OpVariable) continue;
    if (decorations_.NameOf(global.result_id()) == name) return global.result_id();
  }
  return kNoId;
}

std::string_view Library::NameOf(Function function) const {
  return WithoutParameters(decorations_.NameOf(function.id()));
}

}  // namespace assay::spirv_instrument
