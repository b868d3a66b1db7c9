#include "postern/infer/public_rows.hpp"

#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/public_tally.hpp"
#include "postern/model/kinds/number.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/number_family.hpp"
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

std::optional<double> number_in(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [stop, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || stop != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

PublicSums sum_rows(const PublicColumn& column, const model::Number& model) {
  const model::NumberFamily& family = *model::find_number_family(model.family);
  const auto law = family.law(model.known);
  const model::Transform transform = family.transform(model.known);
  PublicSums out;
  for (const std::optional<std::string>& text : column) {
    const std::optional<double> x = text ? number_in(*text) : std::nullopt;
    if (!x) {
      ++out.left_out;
      continue;
    }
    const bool below =
        (family.non_negative && *x < 0) || (transform.kind == model::Transform::Kind::log && *x <= 0);
    const double t = below ? 0 : transform(*x);
    if (below || !std::isfinite(t) || (family.whole && *x != std::floor(*x)) ||
        !law->possible({1, t, t * t})) {
      throw Error(ErrorCode::bad_option,
                  {"public rows: '", from_option(*text), "' in column '", from_document(model.column),
                   "' cannot be a number of family ", from_document(family.name)});
    }
    out.sums.n += 1;
    out.sums.t += t;
    out.sums.squares += t * t;
  }
  if (out.left_out > 0 && out.sums.n == 0) {
    throw Error(ErrorCode::bad_option,
                {"public rows: no row holds a number in column '", from_document(model.column), "'"});
  }
  return out;
}

}  // namespace

void check_takes_public_rows(const model::Study& study) {
  const bool table =
      study.model.as<model::Bernoulli>() != nullptr || study.model.as<model::Categorical>() != nullptr;
  if (table || study.model.as<model::Number>() != nullptr) return;
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
  if (const auto* number = study.model.as<model::Number>()) return sum_rows(columns.front(), *number);
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
  const std::vector<std::int64_t>& counts = std::get<PublicCounts>(rows).counts;
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

}  // namespace postern::infer
