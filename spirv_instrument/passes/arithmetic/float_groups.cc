// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/arithmetic/float_groups.h"

#include <optional>
#include <string_view>

namespace assay::spirv_instrument {
namespace {

struct NamedGroup {
  std::string_view name;
  FloatOperations group;
};

constexpr NamedGroup kGroups[] = {
    {"division", FloatOperations::kDivision}, {"sums", FloatOperations::kSums},
    {"roots", FloatOperations::kRoots},       {"logarithms", FloatOperations::kLogarithms},
    {"powers", FloatOperations::kPowers},     {"trigonometry", FloatOperations::kTrigonometry},
    {"geometry", FloatOperations::kGeometry}, {"conversions", FloatOperations::kConversions},
    {"all", FloatOperations::kAll},
};

}  // namespace

std::optional<FloatOperations> FindFloatOperations(std::string_view name) {
  for (const NamedGroup& each : kGroups) {
    if (each.name == name) return each.group;
  }
  return std::nullopt;
}

}  // namespace assay::spirv_instrument
