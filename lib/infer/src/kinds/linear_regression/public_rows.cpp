#include "public_rows.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/rows.hpp"
#include "postern/model/kinds/linear_regression.hpp"

#include "regression/matrix.hpp"

namespace postern::infer {
namespace {

/// w of one row after another, in steps.
class RowVector {
 public:
  explicit RowVector(const model::Study& study)
      : steps_(study.model.get<model::LinearRegression>().steps),
        entries_(model::regression_entries(study.model.get<model::LinearRegression>(), study.schema)) {
    for (const std::string& name : model::columns_of(study.model)) {
      const model::Column& column = study.schema.at(name);
      levels_.push_back(model::is_regression_number(column) ? model::moment_levels(column, steps_)
                                                            : std::vector<std::int16_t>());
    }
  }
  [[nodiscard]] std::size_t width() const { return entries_.size() + 1; }
  /// False where a column is missing.
  [[nodiscard]] bool fill(std::span<const std::int32_t> row, std::vector<std::int64_t>& w) const {
    w.assign(width(), steps_);
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      const auto [column, level] = entries_[e];
      if (row[column] < 0) return false;
      const auto at = static_cast<std::size_t>(row[column]);
      w[e + 1] = level > 0 ? (at == level ? steps_ : 0) : levels_[column][at];
    }
    return true;
  }

 private:
  std::int64_t steps_;
  std::vector<model::MomentEntry> entries_;
  std::vector<std::vector<std::int16_t>> levels_;
};

}  // namespace

PublicCounts sum_regression_rows(const std::vector<PublicColumn>& columns, const model::Study& study) {
  const RowVector vector(study);
  const Rows rows = read_rows(columns, study);
  PublicCounts out;
  out.counts.assign(vector.width() * (vector.width() + 1) / 2, 0);
  std::vector<std::int64_t> w;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (!vector.fill(rows.row(r), w)) continue;
    ++out.rows;
    std::size_t at = 0;
    for (std::size_t i = 0; i < w.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) out.counts[at++] += w[i] * w[j] + w[0] * w[0];
    }
  }
  if (out.rows == 0)
    throw Error(ErrorCode::bad_option, {"public rows: no row holds all columns of the regression"});
  for (const Warning& one : rows.warnings) {
    if (one.name == "rows-undeclared") out.warnings.push_back({"public-rows-undeclared", one.text});
  }
  const std::int64_t left_out = static_cast<std::int64_t>(rows.size()) - out.rows;
  if (left_out > 0) {
    out.warnings.push_back(
        {"public-rows-left-out",
         "public rows that lack a column of the regression, left out: " + std::to_string(left_out)});
  }
  return out;
}

void add_public_rows(RegressionProblem& problem, const PublicRows& rows, const model::Study& study) {
  const std::size_t width = problem.width();
  const auto* sums = std::get_if<PublicCounts>(&rows);
  const auto refuse = [] {
    throw Error(ErrorCode::bad_option, {"public rows: these are not sums of rows of this regression"});
  };
  if (sums == nullptr || sums->counts.size() != width * (width + 1) / 2) return refuse();
  const auto steps = static_cast<double>(study.model.get<model::LinearRegression>().steps);
  problem.public_moments.assign(width * width, 0);
  Matrix definite(width);  // with a little on its diagonal: rows may be few, or collinear
  std::size_t at = 0;
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double value =
          static_cast<double>(sums->counts[at++]) / (steps * steps) - static_cast<double>(sums->rows);
      problem.public_moments[i * width + j] = problem.public_moments[j * width + i] = value;
      definite(i, j) = value + (i == j ? 1e-6 * (1 + std::abs(value)) : 0);
    }
  }
  const bool counted = problem.public_records() == static_cast<double>(sums->rows);
  if (!counted || !factorise(definite, width)) refuse();
}

}  // namespace postern::infer
