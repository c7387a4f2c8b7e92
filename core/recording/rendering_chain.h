// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_RENDERING_CHAIN_H_
#define ASSAY_CORE_RECORDING_RENDERING_CHAIN_H_

namespace assay::core {

// A sequence of render pass instances, as far as they are suspended and resumed: one instance, those of a command
// buffer, or those of a batch. The two ends are kept, since other sequences are appended to them; errors inside are
// flags.
struct RenderingChain {
  bool has_instances = false;
  // Whether the first instance resumes one before the sequence, and whether one after it must resume the last.
  bool begins_resuming = false;
  bool ends_suspended = false;
  // Errors inside: an instance resumes where none is suspended; an instance that does not resume follows a suspended
  // one.
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
