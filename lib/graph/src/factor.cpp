#include "postern/graph/factor.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/graph/strided.hpp"

namespace postern::graph {
namespace {

/// Sizes by variable, for those that a factor or two have.
Sizes all_sizes(const Factor& a, const Factor& b = {}) {
  std::uint32_t most = 0;
  for (const Factor* factor : {&a, &b}) {
    for (const std::uint32_t v : factor->variables()) most = std::max(most, v);
  }
  Sizes sizes(std::size_t{most} + 1, 1);
  for (const Factor* factor : {&a, &b}) {
    for (std::size_t i = 0; i < factor->variables().size(); ++i)
      sizes[factor->variables()[i]] = factor->sizes()[i];
  }
  return sizes;
}

Sizes sizes_of(const Variables& variables, const Sizes& sizes) {
  Sizes out;
  for (const std::uint32_t v : variables) out.push_back(sizes[v]);
  return out;
}

std::vector<double> maxima(const Factor& a, const Strided& cells, std::size_t count) {
  std::vector<double> out(count, kMinusInfinity);
  cells.walk([&](std::size_t first, std::size_t other, std::size_t run, std::size_t step) {
    for (std::size_t i = 0; i < run; ++i, other += step)
      out[other] = std::max(out[other], a.logs()[first + i]);
  });
  return out;
}

}  // namespace

Factor::Factor(Variables variables, Sizes sizes, std::vector<double> logs)
    : variables_(std::move(variables)), sizes_(std::move(sizes)), logs_(std::move(logs)) {
  double cells = 1;
  for (const std::uint32_t size : sizes_) cells *= size;
  if (variables_.size() != sizes_.size() || cells != static_cast<double>(logs_.size()) ||
      sorted(variables_).size() != variables_.size())
    throw Error(ErrorCode::internal, {"a factor's variables, sizes and cells do not fit"});
}

double Factor::log_total() const { return log_sum_exp(logs_); }

Factor product(const Factor& a, const Factor& b) {
  const Sizes sizes = all_sizes(a, b);
  Variables variables = a.variables();
  for (const std::uint32_t v : b.variables()) {
    if (std::ranges::find(variables, v) == variables.end()) variables.push_back(v);
  }
  std::vector<double> logs(static_cast<std::size_t>(cells_of(variables, sizes)), 0.0);
  for (const Factor* factor : {&a, &b}) {
    const Strided cells(variables, factor->variables(), sizes);
    cells.walk([&](std::size_t first, std::size_t other, std::size_t run, std::size_t step) {
      for (std::size_t i = 0; i < run; ++i, other += step) logs[first + i] += factor->logs()[other];
    });
  }
  Sizes own = sizes_of(variables, sizes);
  return {std::move(variables), std::move(own), std::move(logs)};
}

Factor sum_to(const Factor& a, const Variables& to) {
  const Sizes sizes = all_sizes(a);
  const Strided cells(a.variables(), to, sizes);
  std::vector<double> most = maxima(a, cells, static_cast<std::size_t>(cells_of(to, sizes)));
  std::vector<double> sums(most.size(), 0.0);
  cells.walk([&](std::size_t first, std::size_t other, std::size_t run, std::size_t step) {
    for (std::size_t i = 0; i < run; ++i, other += step) {
      if (most[other] > kMinusInfinity) sums[other] += std::exp(a.logs()[first + i] - most[other]);
    }
  });
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (most[i] > kMinusInfinity) most[i] += std::log(sums[i]);
  }
  return {to, sizes_of(to, sizes), std::move(most)};
}

Factor max_to(const Factor& a, const Variables& to) {
  const Sizes sizes = all_sizes(a);
  const Strided cells(a.variables(), to, sizes);
  return {to, sizes_of(to, sizes), maxima(a, cells, static_cast<std::size_t>(cells_of(to, sizes)))};
}

Factor reduced(const Factor& a, const Evidence& evidence) {
  const Sizes sizes = all_sizes(a);
  Variables open;
  std::size_t start = 0;
  std::size_t step = 1;
  for (std::size_t i = a.variables().size(); i-- > 0;) {
    const auto seen = std::ranges::find(evidence, a.variables()[i], &Seen::variable);
    if (seen == evidence.end()) {
      open.insert(open.begin(), a.variables()[i]);
    } else {
      start += step * seen->level;
    }
    step *= a.sizes()[i];
  }
  std::vector<double> logs(static_cast<std::size_t>(cells_of(open, sizes)));
  const Strided cells(open, a.variables(), sizes);
  cells.walk([&](std::size_t first, std::size_t other, std::size_t run, std::size_t by) {
    for (std::size_t i = 0; i < run; ++i) logs[first + i] = a.logs()[start + other + i * by];
  });
  Sizes own = sizes_of(open, sizes);
  return {std::move(open), std::move(own), std::move(logs)};
}

}  // namespace postern::graph
