// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_RENDERING_CHAIN_H_
#define ASSAY_CORE_RECORDING_RENDERING_CHAIN_H_

namespace assay::core {

// Render pass instances one after another, as far as they are suspended and resumed: one of them, those of a command
// buffer, or those of a batch. What lies inside is summed up; the ends are what others are appended to.
struct RenderingChain {
  bool has_instances = false;
  // The first instance resumes one before the chain, and the last is to be resumed after it.
  bool begins_resuming = false;
  bool ends_suspended = false;
  // Inside, one resumes where none is suspended; one that does not resume follows upon one that is suspended.
  bool lacks_suspension = false;
  bool is_interrupted = false;

  void Append(const RenderingChain& next) {
    if (!next.has_instances) return;
    if (!has_instances) {
      *this = next;
      return;
    }
    lacks_suspension |= next.lacks_suspension || (!ends_suspended && next.begins_resuming);
    is_interrupted |= next.is_interrupted || (ends_suspended && !next.begins_resuming);
    ends_suspended = next.ends_suspended;
  }
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_RENDERING_CHAIN_H_
