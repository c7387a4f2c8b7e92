// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_PIPELINES_LIBRARIES_LAYOUT_LINKS_H_
#define ASSAY_CORE_PIPELINES_LIBRARIES_LAYOUT_LINKS_H_

#include <optional>
#include <string>

#include "core/pipelines/pipeline_facts.h"

// Private to the package: what the layouts of linked parts must have in common. Both parts have a layout that is known.
// One has pre-rasterization shaders, the other one the fragment shader.
namespace assay::core {

// What does not fit; nothing if all does.
using Mismatch = std::optional<std::string>;

// Nothing too if one of them is not known any more. What only pointers of the create infos had, such as immutable
// samplers, is not compared.
Mismatch CompareSets(const LayoutFacts& a, const LayoutFacts& b);

// The first one has independent sets, the second one does not.
Mismatch CheckIndependence(const PartFacts& a, const PartFacts& b);
// The first one has no independent sets.
Mismatch CheckOwnLayout(const PartFacts& a, const PartFacts& b);
// Neither has independent sets.
Mismatch CheckWholeLayouts(const PartFacts& a, const PartFacts& b);
// Both have independent sets.
Mismatch CheckCommonSets(const PartFacts& a, const PartFacts& b);
Mismatch CheckCommonRanges(const PartFacts& a, const PartFacts& b);
Mismatch CheckOpenSets(const PartFacts& a, const PartFacts& b);
// Sets that the first one leaves open and the second one has, with bindings for the first one's shaders.
Mismatch CheckOpenSetStages(const PartFacts& a, const PartFacts& b);

}  // namespace assay::core

#endif  // ASSAY_CORE_PIPELINES_LIBRARIES_LAYOUT_LINKS_H_
