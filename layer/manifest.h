// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_LAYER_MANIFEST_H_
#define ASSAY_LAYER_MANIFEST_H_

#include <string>

#include "dispatch/extensions/layer_identity.h"

namespace assay::layer {

// The manifest by which the loader finds the layer, format 1.2.0. It is made from the layer's identity and the table of
// settings, so it cannot differ from them. library_path is relative to the manifest's folder.
std::string MakeManifest(dispatch::LoadedAs loaded_as, const std::string& library_path);

}  // namespace assay::layer

#endif  // ASSAY_LAYER_MANIFEST_H_
