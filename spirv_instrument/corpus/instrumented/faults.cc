// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/instrumented/faults.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "spirv_instrument/runtime/records.h"

namespace assay::spirv_instrument::corpus {

std::optional<FaultKind> FaultKindOf(ErrorCode code) {
  using enum ErrorCode;
  switch (code) {
    case kDescriptorIndexOutOfBounds:
      return FaultKind::kDescriptorIndex;
    case kDescriptorNotWritten:
      return FaultKind::kDescriptorUnwritten;
    case kDescriptorDestroyed:
      return FaultKind::kDescriptorDestroyed;
    case kDescriptorNull:
      return FaultKind::kDescriptorNull;
    case kBufferOutOfBounds:
    case kTexelBufferOutOfBounds:
      return FaultKind::kBufferBounds;
    case kAddressOutOfBounds:
    case kAddressAcrossEnd:
      return FaultKind::kAddressRange;
    case kAddressMisaligned:
      return FaultKind::kAddressAlignment;
    case kImageCoordinatesOutOfBounds:
    case kImageLevelOutOfBounds:
    case kImageLayerOutOfBounds:
    case kImageSampleOutOfBounds:
      return FaultKind::kImageCoordinate;
    case kRayNegativeT:
    case kRayRangeReversed:
    case kRayTNotANumber:
    case kRayTimeOutOfRange:
    case kRayHitTOutOfRange:
      return FaultKind::kRayTime;
    case kRayNotFinite:
    case kRayZeroDirection:
      return FaultKind::kRayDirection;
    case kRayFlagsExclusive:
      return FaultKind::kRayFlags;
    case kRayQueryNotInitialized:
    case kRayQueryWithoutIntersection:
      return FaultKind::kRayQuery;
    case kMeshOutputPastCount:
    case kMeshOutputsNotSet:
    case kMeshIndexPastVertices:
      return FaultKind::kMeshOutput;
    case kMeshCountPastMaximum:
    case kTaskCountPastMaximum:
      return FaultKind::kMeshCount;
    case kVertexOutOfBounds:
    case kInstanceOutOfBounds:
      return FaultKind::kVertexFetch;
    case kDivisionByZero:
    case kDivisionOverflow:
      return FaultKind::kDivision;
    case kShiftPastWidth:
      return FaultKind::kShift;
    case kNotANumber:
      return FaultKind::kNotANumber;
    default:
      return std::nullopt;
  }
}

absl::StatusOr<std::set<RecordedFault>> ReadFaults(absl::Span<const uint32_t> errors) {
  const ErrorStream stream = ReadErrors(errors);
  if (stream.is_cut || stream.lost_records != 0 || stream.lost_faults != 0) {
    return absl::InternalError("records of faults were lost");
  }
  std::set<RecordedFault> faults;
  for (const ErrorRecord& record : stream.records) {
    const std::optional<FaultKind> kind = FaultKindOf(record.code);
    if (!kind) {
      return absl::InternalError(
          absl::StrCat("error code ", static_cast<uint32_t>(record.code), " at instruction ", record.instruction));
    }
    faults.insert({record.shader_id, record.instruction, *kind});
  }
  return faults;
}

}  // namespace assay::spirv_instrument::corpus
