#include "postern/core/error.hpp"
#include "postern/model/sequences.hpp"

namespace postern::model {

std::optional<std::string> ordered_by(const Model& model) {
  const auto* sequences = dynamic_cast<const SequenceModel*>(&model.kind());
  if (sequences == nullptr) return std::nullopt;
  return sequences->time_column(model);
}

void PeopleTally::add(std::span<const std::uint32_t> /*levels*/, std::int64_t /*count*/) {
  throw Error(ErrorCode::internal, {"a statistic of people was given a record"});
}

}  // namespace postern::model
