#include "postern/infer/public_rows.hpp"

#include <cmath>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/kind.hpp"
#include "postern/infer/public_tally.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {
namespace {

PublicCounts count_rows(const std::vector<PublicColumn>& columns, const model::Study& study) {
  PublicTally tally(study);
  std::vector<std::optional<std::string_view>> fields(columns.size());
  for (std::size_t row = 0; row < columns.front().size(); ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::optional<std::string>& text = columns[c][row];
      fields[c] = text ? std::optional<std::string_view>(*text) : std::nullopt;
    }
    tally.add(fields);
  }
  return tally.counts();
}

}  // namespace

void check_takes_public_rows(const model::Study& study) {
  if (study.model.kind().has_posterior() && kind_of(study.model).takes_public_rows()) return;
  throw Error(ErrorCode::unsupported,
              {"this model takes no public rows; state what they say as the prior, where it has one"});
}

PublicRows read_public_rows(const std::vector<PublicColumn>& columns, const model::Study& study) {
  check_takes_public_rows(study);
  const std::vector<std::string> names = model::columns_of(study.model);
  if (columns.size() != names.size())
    throw Error(ErrorCode::bad_option, {"public rows need every column of the model"});
  for (const PublicColumn& column : columns) {
    if (column.size() != columns.front().size())
      throw Error(ErrorCode::bad_option, {"the columns of public rows are not equally long"});
  }
  const Kind& kind = kind_of(study.model);
  if (kind.public_tables(study).empty()) return kind.sum_public_rows(columns, study);
  return count_rows(columns, study);
}

std::vector<Warning> public_row_warnings(const PublicRows& rows) {
  if (const auto* counts = std::get_if<PublicCounts>(&rows)) return counts->warnings;
  const std::int64_t left_out = std::get<PublicSums>(rows).left_out;
  if (left_out == 0) return {};
  return {{"public-rows-left-out",
           "public rows without a number in the model's column, left out: " + std::to_string(left_out)}};
}

std::int64_t rows_taken(const PublicRows& rows) {
  if (const auto* sums = std::get_if<PublicSums>(&rows)) return std::llround(sums->sums.n);
  return std::get<PublicCounts>(rows).rows;
}

}  // namespace postern::infer
