# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""sync_access_index.h and the tables behind sync_info.h."""

from registry import cpp
from registry.model import SyncStageAccess

# Accesses for which the registry has no stage and access; see vk/sync/sync_info.h.
_EXTRA = [
    SyncStageAccess("IMAGE_LAYOUT_TRANSITION", "VK_PIPELINE_STAGE_2_NONE", "VK_ACCESS_2_NONE", True, True),
    SyncStageAccess("QUEUE_FAMILY_OWNERSHIP_TRANSFER", "VK_PIPELINE_STAGE_2_NONE", "VK_ACCESS_2_NONE", True, True),
    SyncStageAccess("PRESENT_ENGINE_PRESENTED", "VK_PIPELINE_STAGE_2_NONE", "VK_ACCESS_2_NONE", True, False),
]
_LIMIT = 191


def _entries(registry):
    none = SyncStageAccess("NONE", "VK_PIPELINE_STAGE_2_NONE", "VK_ACCESS_2_NONE", False, False)
    return [none, *registry.sync_stage_accesses, *_EXTRA]


def sync_access_index(registry):
    entries = _entries(registry)
    if len(entries) > _LIMIT:
        raise ValueError(f"{len(entries)} sync accesses are more than {_LIMIT}")
    lines = "".join(f"  kSync{cpp.camel(e.name)}{' = 0' if i == 0 else ''},\n" for i, e in enumerate(entries))
    body = f"""
// A single stage with a single access, e.g. kSyncCopyTransferWrite; see vk/sync/sync_info.h.
enum SyncAccessIndex : uint8_t {{
{lines}  kSyncAccessCount,
}};
"""
    return cpp.header("emit_sync.py", "sync_access_index.h", ["<cstdint>"], body)


def sync_data(registry):
    stages = [
        f"{{{cpp.view(s.name)}, {s.name}, {'~0u' if s.queues is None else cpp.joined(s.queues)}, {s.expands_to:#x}u, "
        f"{cpp.boolean(s.single)}}}"
        for s in registry.sync_stages
    ]
    accesses = [
        f"{{{cpp.view(a.name)}, {a.name}, {cpp.joined(a.stages)}, {a.expands_to:#x}u, {cpp.boolean(a.single)}, "
        f"{cpp.boolean(a.is_read)}, {cpp.boolean(a.is_write)}}}" for a in registry.sync_accesses
    ]
    pairs = [
        f"{{{cpp.view(e.name)}, {e.stage}, {e.access}, {cpp.boolean(e.is_read)}, {cpp.boolean(e.is_write)}}}"
        for e in _entries(registry)
    ]
    orders = [f"{{{o.stage}, {o.earlier:#x}u, {o.later:#x}u}}" for o in registry.sync_orders]
    body = cpp.table("SyncStageInfo", "kSyncStages", stages)
    body += f"constinit const size_t kSyncStageCount = {len(stages)};\n"
    body += cpp.table("SyncAccessInfo", "kSyncAccesses", accesses)
    body += f"constinit const size_t kSyncAccessInfoCount = {len(accesses)};\n"
    body += cpp.table("SyncStageAccessInfo", "kSyncStageAccesses", pairs)
    body += cpp.table("SyncOrder", "kSyncOrders", orders) + f"constinit const size_t kSyncOrderCount = {len(orders)};\n"
    return cpp.source("emit_sync.py", ['"vk/sync/sync_tables.h"'], body)


def outputs(registry):
    return {"sync_access_index.h": sync_access_index(registry), "sync_data.cc": sync_data(registry)}
