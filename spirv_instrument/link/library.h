// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_LINK_LIBRARY_H_
#define ASSAY_SPIRV_INSTRUMENT_LINK_LIBRARY_H_

#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {

// A module of functions that others can call. They are found by name: glslang names a function by what the source calls
// it, and its parameters ("AddressIsGood(vu2;u1;"); here the part before the bracket counts. Names may not be
// overloaded. Nothing in it changes after Read, so that threads may share it.
class Library {
 public:
  // InvalidArgument as of Module::Read, or if two functions have one name.
  static absl::StatusOr<Library> Read(absl::Span<const uint32_t> words);

  const Module& module() const { return module_; }
  const Decorations& decorations() const { return decorations_; }
  // Null if no function has that name.
  Function Find(std::string_view name) const;
  // The global variable with that name; kNoId if there is none.
  Id FindVariable(std::string_view name) const;
  // "" for a function that is none of the library.
  std::string_view NameOf(Function function) const;

 private:
  explicit Library(Module module);

  Module module_;
  Decorations decorations_;
  absl::flat_hash_map<std::string_view, Function> functions_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_LINK_LIBRARY_H_
