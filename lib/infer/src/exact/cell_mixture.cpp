#include "exact/cell_mixture.hpp"

#include <algorithm>
#include <cmath>

#include "exact/smooth_nodes.hpp"

namespace postern::infer {
namespace {

/// The part of a message that is not negligible, as a window.
Window worth_summing(const Message& message, double negligible) {
  const double largest = *std::max_element(message.weight.begin(), message.weight.end());
  const auto counts = [&](double w) { return w > negligible * largest; };
  const auto first = std::find_if(message.weight.begin(), message.weight.end(), counts);
  const auto last = std::find_if(message.weight.rbegin(), message.weight.rend(), counts);
  return {message.lo + (first - message.weight.begin()),
          message.window().hi - (last - message.weight.rbegin())};
}

}  // namespace

BetaMixture mixture_of_known_total(const Message& marginal, AlphaSplit alpha, std::int64_t n) {
  const Accuracy accuracy;
  const Window window = worth_summing(marginal, accuracy.negligible);
  const auto a = [&](double s) { return alpha.mine + s; };
  const auto b = [&](double s) { return alpha.others + (static_cast<double>(n) - s); };
  // Moving one record changes the Beta's mean by 1 / (a + b), so its sd is this many records.
  const auto scale = [&](double s) { return std::sqrt(a(s) * b(s) / (a(s) + b(s))); };
  SmoothNodes nodes(window, scale, accuracy.error);
  std::vector<double> weight(nodes.nodes().size());
  for (std::int64_t s = window.lo; s <= window.hi; ++s) nodes.deposit(s, marginal.at(s), weight);
  std::vector<BetaMixture::Part> parts;
  for (std::size_t j = 0; j < weight.size(); ++j) {
    parts.push_back({weight[j], a(nodes.nodes()[j]), b(nodes.nodes()[j])});
  }
  return BetaMixture(std::move(parts));
}

}  // namespace postern::infer
