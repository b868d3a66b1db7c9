#include "postern/infer/public_rows.hpp"

#include <utility>

#include "postern/core/error.hpp"
#include "postern/model/encode.hpp"

namespace postern::infer {

PublicCounts public_counts(std::vector<std::int64_t> table, const model::Study& study) {
  const auto* bernoulli = std::get_if<model::Bernoulli>(&study.model);
  if (bernoulli != nullptr && bernoulli->success == 0) std::swap(table[0], table[1]);
  return {std::move(table)};
}

PublicCounts count_public_rows(const std::vector<PublicColumn>& columns, const model::Study& study) {
  const std::vector<std::string> names = model::columns_of(study.model);
  if (columns.size() != names.size())
    throw Error(ErrorCode::bad_option, {"public rows need every column of the model"});
  std::vector<model::Encoder> encoders;
  for (std::size_t c = 0; c < names.size(); ++c) {
    encoders.emplace_back(study.schema.at(names[c]));
    if (columns[c].size() != columns.front().size())
      throw Error(ErrorCode::bad_option, {"the columns of public rows are not equally long"});
  }
  std::vector<std::int64_t> table(study.schema.domain(names).cells());
  for (std::size_t row = 0; row < columns.front().size(); ++row) {
    std::size_t cell = 0;
    bool kept = true;
    for (std::size_t c = 0; c < names.size(); ++c) {
      const std::optional<std::string>& text = columns[c][row];
      const std::uint32_t level = text ? encoders[c].encode(model::Field(*text)) : encoders[c].missing();
      kept = kept && level != model::kDropped;
      cell = cell * encoders[c].levels() + level;
    }
    if (kept) ++table[cell];
  }
  return public_counts(std::move(table), study);
}

}  // namespace postern::infer
