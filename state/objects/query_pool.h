// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_OBJECTS_QUERY_POOL_H_
#define ASSAY_STATE_OBJECTS_QUERY_POOL_H_

#include "state/objects/object.h"
#include "vk/vulkan.h"

namespace assay::state {

class QueryPool : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_QUERY_POOL;
  QueryPool(uint64_t handle, const VkQueryPoolCreateInfo& info)
      : Object(kType, handle),
        query_type(info.queryType),
        query_count(info.queryCount),
        statistics(info.queryType == VK_QUERY_TYPE_PIPELINE_STATISTICS ? info.pipelineStatistics : 0) {}

  const VkQueryType query_type;
  const uint32_t query_count;
  // 0 for other types of queries.
  const VkQueryPipelineStatisticFlags statistics;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_QUERY_POOL_H_
