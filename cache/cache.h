// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CACHE_CACHE_H_
#define ASSAY_CACHE_CACHE_H_

// Cache: results that are dear to compute, kept in files from one run to the next. No Vulkan in it.
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
// Its files:
//
//   file_cache   the folder
//   entry        one file: its bytes, and what is checked of them

#include "cache/file_cache.h"

#endif  // ASSAY_CACHE_CACHE_H_
