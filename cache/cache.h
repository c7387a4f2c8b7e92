// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CACHE_CACHE_H_
#define ASSAY_CACHE_CACHE_H_

// Cache: results that are dear to compute, kept from one run to the next. No Vulkan in it.
//
// There are two kinds.
//
// A KeySet says of inputs no more than that they are valid. An application keeps it as bytes (VK_EXT_validation_cache).
// Bytes that another build wrote, that are not whole or that were changed give no keys.
//
// A FileCache is a folder of the user's, with a file for each result. What it promises:
//
//   right        A value is returned for the very key that it was added with, by the same build, or not at all. The
//                file has the whole key, so that the hash in its name need not be trusted.
//   safe         A file that was cut, changed or made by somebody else is not returned, and read no further than it is
//                long. What does not hold up is deleted.
//   shared       Processes use the folder at once, without locks. A file appears whole (by rename), and is never
//                changed after that, but for its time.
//   bounded      When the files take more than FileCacheOptions::max_bytes, those that were not used for longest go. A
//                process looks each time that it has added an eighth of that.
//   dispensable  Any failure (no space, no folder, no permission) is as if there were no cache. Nothing is reported.
//
// The files of this package:
//
//   key_set      keys of valid inputs
//   key_data     these keys as bytes, and what is checked of them
//   file_cache   the folder
//   entry        one file: its bytes, and what is checked of them
//   build_id     which build this is, so that results of another are not taken for its own
//   checksum     what finds damage, and what keys are made of

#include "cache/build_id.h"
#include "cache/file_cache.h"
#include "cache/key_data.h"
#include "cache/key_set.h"

#endif  // ASSAY_CACHE_CACHE_H_
