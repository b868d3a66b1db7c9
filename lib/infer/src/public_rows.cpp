#include "postern/infer/public_rows.hpp"

#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/model/encode.hpp"
#include "postern/model/number_family.hpp"

namespace postern::infer {
namespace {

PublicCounts count_rows(const std::vector<PublicColumn>& columns, const std::vector<std::string>& names,
                        const model::Schema& schema) {
  std::vector<model::Encoder> encoders;
  encoders.reserve(names.size());
  for (const std::string& name : names) encoders.emplace_back(schema.at(name));
  std::vector<std::int64_t> table(schema.domain(names).cells());
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
  return {std::move(table)};
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
  return out;
}

}  // namespace

void check_takes_public_rows(const model::Study& study) {
  const bool table = std::holds_alternative<model::Bernoulli>(study.model) ||
                     std::holds_alternative<model::Categorical>(study.model);
  if (table || std::holds_alternative<model::Number>(study.model)) return;
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
  if (const auto* number = std::get_if<model::Number>(&study.model))
    return sum_rows(columns.front(), *number);
  return count_rows(columns, names, study.schema);
}

std::int64_t rows_taken(const PublicRows& rows) {
  if (const auto* sums = std::get_if<PublicSums>(&rows)) return std::llround(sums->sums.n);
  const std::vector<std::int64_t>& counts = std::get<PublicCounts>(rows).counts;
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

}  // namespace postern::infer
