#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/infer/network/fourier.hpp"

namespace postern::infer {
namespace {

using Key = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // variable and contrast, increasing

/// Values of one coefficient, to be averaged.
struct Average {
  Rational sum;
  Rational precision;
  void add(const NoisyValue& value) {
    const Rational weight(1 / std::max(release::variance(value.law), 1e-200));
    sum += weight * Rational(value.y);
    precision += weight;
  }
  [[nodiscard]] Rational value() const { return sum / precision; }
};

[[noreturn]] void refuse_missing() {
  throw Error(ErrorCode::engine_unsuitable,
              {"the releases do not hold all coefficients of the network's tables, and n"});
}

std::map<Key, Average> averages(const NetworkProblem& problem) {
  std::map<Key, Average> out;
  for (const NoisyCoefficient& one : problem.coefficients) {
    Key key;
    for (std::size_t i = 0; i < one.variables.size(); ++i)
      key.emplace_back(one.variables[i], one.contrasts[i]);
    std::sort(key.begin(), key.end());
    out[key].add(one.value);
  }
  return out;
}

/// The variables of a family with the contrasts of a cell of its transformed table.
Key key_of(const std::vector<std::uint32_t>& variables, std::span<const std::uint32_t> sizes,
           std::size_t cell) {
  Key key;
  for (std::size_t i = variables.size(); i-- > 0;) {
    const auto contrast = static_cast<std::uint32_t>(cell % sizes[i]);
    if (contrast > 0) key.emplace_back(variables[i], contrast);
    cell /= sizes[i];
  }
  std::sort(key.begin(), key.end());
  return key;
}

}  // namespace

NoisyCoefficients::NoisyCoefficients(const NetworkProblem& problem) {
  const std::map<Key, Average> seen = averages(problem);
  const auto value = [&](const Key& key) {
    const auto found = seen.find(key);
    if (found == seen.end()) refuse_missing();
    return found->second.value();
  };
  const auto* known = std::get_if<KnownTotal>(&problem.total);
  known_ = known != nullptr;
  total_ = known_ ? Rational(static_cast<long>(known->n)) : value({});
  for (const NetworkFamily& family : problem.families) {
    Family& one = families_.emplace_back();
    for (const std::uint32_t v : family.variables) one.sizes.push_back(problem.sizes[v]);
    one.coefficients.assign(family.alpha.size(), 0);
    for (std::size_t cell = 1; cell < one.coefficients.size(); ++cell)
      one.coefficients[cell] = value(key_of(family.variables, one.sizes, cell));
  }
}

}  // namespace postern::infer
