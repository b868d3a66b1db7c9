#include "joint.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "postern/infer/query.hpp"
#include "postern/release/rounds.hpp"

namespace postern::honesty {

Joint::Joint(const Records& population, std::vector<std::string> columns) : columns_(std::move(columns)) {
  std::size_t cells = 1;
  std::vector<std::size_t> places;
  for (const std::string& column : columns_) {
    levels_.push_back(honesty::levels(population, column));
    places.push_back(population.place(column));
    cells *= levels_.back().size();
  }
  shares_.assign(cells, 0);
  for (const auto& row : population.rows) {
    std::size_t cell = 0;
    for (std::size_t c = 0; c < places.size(); ++c) {
      const auto found = std::find(levels_[c].begin(), levels_[c].end(), row[places[c]]);
      cell = cell * levels_[c].size() + static_cast<std::size_t>(found - levels_[c].begin());
    }
    shares_[cell] += 1 / static_cast<double>(population.rows.size());
  }
}

std::size_t Joint::level(std::size_t cell, std::size_t column) const {
  for (std::size_t c = levels_.size() - 1; c > column; --c) cell /= levels_[c].size();
  return cell % levels_[column].size();
}

std::vector<std::size_t> Joint::slice(std::size_t column, std::size_t wanted) const {
  std::vector<std::size_t> out;
  for (std::size_t cell = 0; cell < cells(); ++cell)
    if (level(cell, column) == wanted) out.push_back(cell);
  return out;
}

std::vector<std::size_t> Joint::row(std::size_t cell) const {
  std::vector<std::size_t> out(levels_.back().size());
  std::iota(out.begin(), out.end(), cell / out.size() * out.size());
  return out;
}

double Joint::share(const std::vector<std::size_t>& cells) const {
  double out = 0;
  for (const std::size_t cell : cells) out += shares_[cell];
  return out;
}

std::string Joint::condition(std::size_t cell, std::size_t first, std::size_t end) const {
  std::string out;
  for (std::size_t c = first; c < end; ++c)
    out += (c == first ? "" : ", ") + columns_[c] + " = \"" + levels_[c][level(cell, c)] + "\"";
  return out;
}

std::vector<std::size_t> Joint::largest(std::size_t how_many) const {
  std::vector<std::size_t> out(cells());
  std::iota(out.begin(), out.end(), std::size_t{0});
  std::stable_sort(out.begin(), out.end(),
                   [&](std::size_t a, std::size_t b) { return shares_[a] > shares_[b]; });
  out.resize(std::min(out.size(), how_many));
  return out;
}

Asked::Asked(const release::Release& release, const infer::Posterior& posterior)
    : study_(release::settled(release).study), posterior_(posterior) {}

Ends Asked::operator()(const std::string& query) {
  infer::answer_query(infer::parse_query(query, study_), ++number_, study_, posterior_);
  return ends_of(draws_of(posterior_, posterior_.names.size() - 1));
}

}  // namespace postern::honesty
