// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_LOG_LOG_FORMAT_H_
#define ASSAY_SYNCVAL_TRACE_LOG_LOG_FORMAT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// The bytes of a trace log: a header, then records. All numbers of header and frames are little-endian.
//
//   header   kLogName, then four numbers of 32 bits: kLogVersion, the version of Vulkan's headers, how many commands
//            there are, and how many kinds of access. A log holds indices of both, so that a reader that was built from
//            another registry must not read it.
//   record   a frame of two numbers of 32 bits, the size of what comes after it and its checksum; then a byte, its
//            RecordKind; then its fields (fields.h)
//
// A record that is cut off by the end of the file is no error: the process was killed while it wrote.
namespace assay::syncval::trace {

inline constexpr std::string_view kLogName = "assay trace log\n";
// Changes with every change of fields.h, of a RecordKind, or of an enumeration that fields have.
inline constexpr uint32_t kLogVersion = 1;
inline constexpr size_t kFrameSize = 8;

enum class RecordKind : uint8_t {
  // A device begins to be traced, with what it dropped before.
  kDevice = 1,
  // The device has a queue.
  kQueue,
  // A recording of a command buffer. Recordings are numbered in the order of the log, from 1.
  kRecording,
  kBatch,
  kHazard,
  // The device is destroyed.
  kEnd,
};

std::string LogHeader();

// Of the kind and the fields.
uint32_t ChecksumOf(std::string_view bytes);

// Appends a record. bytes are its kind and its fields.
void AppendRecord(std::string_view bytes, std::string& log);

// Takes a number of 32 bits off the front of bytes, which must be long enough.
uint32_t TakeNumber(std::string_view& bytes);

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_LOG_LOG_FORMAT_H_
