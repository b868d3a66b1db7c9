#include <limits>

#include "postern/model/statistic.hpp"

namespace postern::model {

Statistic read_statistic(Node& node) {
  const std::string name = node.text("kind");
  for (const StatisticKind* kind : statistic_kinds()) {
    if (!kind->answers_to(name)) continue;
    Statistic out = kind->read(node);
    node.finish();
    return out;
  }
  node.refuse(ErrorCode::release_malformed, "kind", {"is a statistic this version does not know"});
}

std::size_t statistic_size(const Statistic& statistic, const Schema& schema) {
  std::size_t size = 1;
  for (const std::uint32_t levels : statistic.kind().shape(statistic, schema)) {
    if (levels != 0 && size > std::numeric_limits<std::size_t>::max() / levels)
      return std::numeric_limits<std::size_t>::max();
    size *= levels;
  }
  return size;
}

std::vector<Int128> StatisticKind::from_counts(const Statistic& /*statistic*/, const Schema& /*schema*/,
                                               std::span<const std::int64_t> /*counts*/) const {
  throw Error(ErrorCode::internal, {"a statistic is not a function of its cells' counts"});
}

std::size_t StatisticKind::candidates(const Statistic& /*statistic*/, const Schema& /*schema*/) const {
  throw Error(ErrorCode::internal, {"a statistic has no candidates"});
}

std::string StatisticKind::candidate(const Statistic& /*statistic*/, const Schema& /*schema*/,
                                     std::size_t /*index*/) const {
  throw Error(ErrorCode::internal, {"a statistic has no candidates"});
}

TermRange StatisticKind::record_range(const Statistic& /*statistic*/, const Schema& /*schema*/) const {
  return {};
}

std::string StatisticKind::coordinate_text(const Statistic& statistic, const Schema& schema,
                                           std::size_t /*coordinate*/) const {
  return text(statistic, schema);
}

std::size_t StatisticKind::cells(const Statistic& /*statistic*/, const Schema& /*schema*/) const { return 0; }

std::optional<double> StatisticKind::together(const Statistic& /*statistic*/, const Statistic& /*other*/,
                                              const Schema& /*schema*/) const {
  return std::nullopt;
}

std::string_view CostRule::method(std::span<const WeighedStatistic> /*statistics*/, const Schema& /*schema*/,
                                  const PrivacyPolicy& /*policy*/) const {
  return {};
}

}  // namespace postern::model
