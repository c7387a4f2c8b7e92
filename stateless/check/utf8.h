// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_CHECK_UTF8_H_
#define ASSAY_STATELESS_CHECK_UTF8_H_

namespace assay::stateless {

// Whether a null-terminated text is UTF-8: no stray or missing continuation, nothing encoded longer than need be, no
// surrogates, nothing past U+10FFFF.
bool IsUtf8(const char* text);

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_CHECK_UTF8_H_
