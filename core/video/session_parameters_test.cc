// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/video/codecs.h"
#include "core/video/video_test.h"

namespace assay::core {
namespace {

constexpr char kCreate[] = "VkVideoSessionParametersCreateInfoKHR";
constexpr char kUpdate[] = "vkUpdateVideoSessionParametersKHR";
constexpr auto kForMaps = VK_VIDEO_SESSION_PARAMETERS_CREATE_QUANTIZATION_MAP_COMPATIBLE_BIT_KHR;

// Rules of the codecs that have parameter sets, by kind: video, sequence, picture.
struct CodecRules {
  VkVideoCodecOperationFlagBitsKHR operation;
  std::array<const char*, 3> created, updated, again;
};
constexpr CodecRules kRules[] = {
    {kDecodeH264, {"", "07204", "07205"}, {"", "07217", "07219"}, {"", "07216", "07218"}},
    {kDecodeH265, {"07207", "07208", "07209"}, {"07221", "07223", "07225"}, {"07220", "07222", "07224"}},
    {kEncodeH264, {"", "04839", "04840"}, {"", "06441", "06442"}, {"", "07226", "07227"}},
    {kEncodeH265, {"04841", "04842", "04843"}, {"06443", "06444", "06445"}, {"07228", "07229", "07230"}},
};

class ParameterTest : public VideoTest {
 protected:
  // Calls f with what the codec's parameters add when they are created.
  template <class F>
  static void WithAdded(V v, const F& f) {
    WithCodec(v.profile.videoCodecOperation, [&]<class Codec>(Codec) {
      auto& own = Video::In<typename Codec::Parameters>(v.parameters);
      if constexpr (requires { own.pParametersAddInfo; })
        f(const_cast<std::remove_cvref_t<decltype(*own.pParametersAddInfo)>&>(*own.pParametersAddInfo));
    });
  }
  static void SetCount(auto& added, size_t kind, uint32_t count) {
    if (kind == 1) added.stdSPSCount = count;
    if (kind == 2) added.stdPPSCount = count;
    if constexpr (requires { added.stdVPSCount; }) {
      if (kind == 0) added.stdVPSCount = count;
    }
  }
  // The update adds `count` sets of one kind, from the `first` on.
  static void Update(V v, size_t kind, uint32_t first, uint32_t count) {
    WithAdded(v, [&](auto& made) {
      auto& added = v.Chain<std::remove_cvref_t<decltype(made)>>(v.update);
      SetCount(added, kind, count);
      added.pStdSPSs = made.pStdSPSs + first;
      added.pStdPPSs = made.pStdPPSs + first;
      if constexpr (requires { added.pStdVPSs; }) added.pStdVPSs = made.pStdVPSs + first;
    });
  }
  static void Create(V v, size_t kind, uint32_t count) {
    WithAdded(v, [&](auto& added) { SetCount(added, kind, count); });
  }
  // Other parameters of the same session, and the session.
  void SetTemplate(V v, VkVideoSessionParametersCreateFlagsKHR flags = 0, uint32_t quality = 0, uint32_t texel = 16) {
    const VkVideoSessionKHR session = MakeSession(v);
    VkVideoSessionParametersCreateInfoKHR info = v.parameters;
    info.flags = flags;
    info.videoSession = v.parameters.videoSession = session;
    if (flags != 0) ChainTexel(v, info, texel);
    if (quality != 0) v.Chain<VkVideoEncodeQualityLevelInfoKHR>(info, {.qualityLevel = quality});
    v.parameters.videoSessionParametersTemplate = MakeParameters(info);
  }
  void SetMaps(V v, VkVideoSessionCreateFlagsKHR of_session, uint32_t texel = 16) {
    v.session.flags = of_session;
    v.parameters.flags = kForMaps;
    ChainTexel(v, v.parameters, texel);
  }
};

TEST_F(ParameterTest, Creation) {
  const auto no_chain = [](V v) { v.parameters.pNext = nullptr; };
  Run(kCreate, kDecoders, {"videoSession-07203", "videoSession-07206", "videoSession-09259"}, no_chain);
  Run(kCreate, kEncoders, {"videoSession-07210", "videoSession-07211", "videoSession-10279"}, no_chain);
  Run(kCreate, {{"videoSession-10280", kEncodeAv1,
                 [](V v) {
                   static const StdVideoEncodeAV1OperatingPointInfo points[2] = {};
                   auto& own = Video::In<VkVideoEncodeAV1SessionParametersCreateInfoKHR>(v.parameters);
                   own.stdOperatingPointCount = 2, own.pStdOperatingPoints = points;
                 }},
                {"videoSession-08319", kEncodeH265, [](V v) { v.h265_pps[0].num_tile_columns_minus1 = 2; }},
                {"videoSession-08320", kEncodeH265, [](V v) { v.h265_pps[0].num_tile_rows_minus1 = 2; }},
                {"flags-10271", kEncodeH264, [&](V v) { SetMaps(v, 0); }},
                {"flags-10273", kEncodeH264, [&](V v) { SetMaps(v, kDeltaMaps, 64); }},
                {"flags-10274", kEncodeH264, [&](V v) { SetMaps(v, kEmphasisMaps, 64); }},
                {"", kEncodeH264, [&](V v) { SetMaps(v, kDeltaMaps); }}});
}

TEST_F(ParameterTest, Templates) {
  const auto quality = [](V v, uint32_t level) {
    v.Chain<VkVideoEncodeQualityLevelInfoKHR>(v.parameters).qualityLevel = level;
  };
  Run(kCreate,
      {{"", kEncodeH264, [&](V v) { SetTemplate(v), v.codings = 0; }},
       {"videoSessionParametersTemplate-08310", kEncodeH264, [&](V v) { SetTemplate(v, 0, 1), quality(v, 0); }},
       {"", kEncodeH264, [&](V v) { SetTemplate(v, 0, 1), quality(v, 1), v.codings = 0; }},
       {"videoSession-09258", kDecodeAv1, [&](V v) { SetTemplate(v); }},
       {"videoSession-10278", kEncodeAv1, [&](V v) { SetTemplate(v); }},
       {"videoSessionParametersTemplate-10275", kEncodeH264,
        [&](V v) { v.session.flags = kDeltaMaps, SetTemplate(v), SetMaps(v, kDeltaMaps); }},
       {"videoSessionParametersTemplate-10277", kEncodeH264,
        [&](V v) { v.session.flags = kDeltaMaps, SetTemplate(v, kForMaps); }},
       {"videoSessionParametersTemplate-10276", kEncodeH264,
        [&](V v) { v.session.flags = kDeltaMaps, SetTemplate(v, kForMaps, 0, 16), SetMaps(v, kDeltaMaps, 32); }}});
}

TEST_F(ParameterTest, ParameterSets) {
  for (const CodecRules& codec : kRules) {
    for (size_t kind = std::string_view(codec.created[0]).empty() ? 1 : 0; kind < 3; ++kind) {
      const std::string created = absl::StrCat("videoSession-", codec.created[kind]);
      const std::string updated = absl::StrCat("videoSessionParameters-", codec.updated[kind]);
      const std::string again = absl::StrCat("videoSessionParameters-", codec.again[kind]);
      Run(kCreate, {{created, codec.operation, [&](V v) { Create(v, kind, 3); }},
                    {"", codec.operation, [&](V v) { Create(v, kind, 2); }}});
      Run(kUpdate, {{updated, codec.operation, [&](V v) { Update(v, kind, 1, 2); }},
                    {again, codec.operation, [&](V v) { Update(v, kind, 0, 1); }},
                    {"", codec.operation, [&](V v) { Update(v, kind, 1, 1); }}});
    }
  }
}

TEST_F(ParameterTest, Updates) {
  Run(kUpdate, {{"pUpdateInfo-07215", kDecodeH264, [](V v) { Update(v, 1, 1, 1), v.update.updateSequenceCount = 2; }},
                {"videoSessionParameters-09260", kDecodeAv1,
                 [](V v) { v.Chain<VkVideoDecodeH264SessionParametersAddInfoKHR>(v.update); }},
                {"videoSessionParameters-10281", kEncodeAv1,
                 [](V v) { v.Chain<VkVideoEncodeH264SessionParametersAddInfoKHR>(v.update); }},
                {"videoSessionParameters-08321", kEncodeH265,
                 [](V v) { Update(v, 2, 1, 1), v.h265_pps[1].num_tile_columns_minus1 = 2; }},
                {"videoSessionParameters-08322", kEncodeH265,
                 [](V v) { Update(v, 2, 1, 1), v.h265_pps[1].num_tile_rows_minus1 = 2; }}});
}

TEST_F(ParameterTest, Encoded) {
  using Get = VkVideoEncodeSessionParametersGetInfoKHR;
  using H264 = VkVideoEncodeH264SessionParametersGetInfoKHR;
  using H265 = VkVideoEncodeH265SessionParametersGetInfoKHR;
  struct Row {
    const char* rule;
    VkVideoCodecOperationFlagBitsKHR operation;
    std::function<void(V, Get&)> change;
  };
  const auto with = [](const auto& own) { return [=](V v, Get& g) { v.Chain(g, own); }; };
  const Row rows[] = {
      {"08359", kDecodeH264, [](V, Get&) {}},
      {"08262", kEncodeH264, [](V, Get&) {}},
      {"08263", kEncodeH264, with(H264{.writeStdSPS = VK_TRUE, .stdSPSId = 1})},
      {"08264", kEncodeH264, with(H264{.writeStdSPS = VK_TRUE, .writeStdPPS = VK_TRUE, .stdPPSId = 1})},
      {"", kEncodeH264, with(H264{.writeStdSPS = VK_TRUE, .writeStdPPS = VK_TRUE})},
      {"08265", kEncodeH265, [](V, Get&) {}},
      {"08266", kEncodeH265, with(H265{.writeStdVPS = VK_TRUE, .stdVPSId = 1})},
      {"08267", kEncodeH265, with(H265{.writeStdSPS = VK_TRUE, .stdSPSId = 1})},
      {"08268", kEncodeH265, with(H265{.writeStdPPS = VK_TRUE, .stdPPSId = 1})},
      {"", kEncodeH265, with(H265{.writeStdVPS = VK_TRUE, .writeStdSPS = VK_TRUE, .writeStdPPS = VK_TRUE})}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.rule);
    Video video;
    Make(row.operation, video);
    video.parameters.videoSession = MakeSession(video);
    Get get = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_PARAMETERS_GET_INFO_KHR,
               .videoSessionParameters = MakeParameters(video.parameters)};
    row.change(video, get);
    size_t size = 0;
    vk.GetEncodedVideoSessionParametersKHR(device, &get, nullptr, &size, nullptr);
    ExpectAlone("vkGetEncodedVideoSessionParametersKHR",
                *row.rule == 0 ? "" : absl::StrCat("pVideoSessionParametersInfo-", row.rule));
  }
}

}  // namespace
}  // namespace assay::core
