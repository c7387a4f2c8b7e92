#!/bin/sh
# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
echo "Coverage is not available in this build." >&2
exit 1
