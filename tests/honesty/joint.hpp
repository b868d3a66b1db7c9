#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "postern/infer/posterior.hpp"
#include "postern/release/release.hpp"

#include "honest_case.hpp"

namespace postern::honesty {

/// What the population has of some columns together: a table of shares, row-major.
class Joint {
 public:
  Joint(const Records& population, std::vector<std::string> columns);

  [[nodiscard]] std::size_t cells() const { return shares_.size(); }
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] const std::vector<std::string>& levels(std::size_t column) const { return levels_[column]; }
  /// The cells of one level of one column.
  [[nodiscard]] std::vector<std::size_t> slice(std::size_t column, std::size_t level) const;
  /// The cells of this cell's row: the last column's levels, the others as in the cell.
  [[nodiscard]] std::vector<std::size_t> row(std::size_t cell) const;
  [[nodiscard]] double share(const std::vector<std::size_t>& cells) const;
  /// Level of a column in a cell.
  [[nodiscard]] std::size_t level(std::size_t cell, std::size_t column) const;
  /// a = "x", b = "y": the cell's levels of columns from `first` on, before `end`.
  [[nodiscard]] std::string condition(std::size_t cell, std::size_t first, std::size_t end) const;
  /// Places of the largest shares of cells, largest first.
  [[nodiscard]] std::vector<std::size_t> largest(std::size_t how_many) const;

 private:
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> levels_;
  std::vector<double> shares_;
};

/// A posterior that answers queries.
class Asked {
 public:
  Asked(const release::Release& release, const infer::Posterior& posterior);
  /// 90 % interval of a query.
  [[nodiscard]] Ends operator()(const std::string& query);

 private:
  model::Study study_;
  infer::Posterior posterior_;
  std::size_t number_ = 0;
};

}  // namespace postern::honesty
