#pragma once

#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "postern/core/special.hpp"
#include "postern/graph/log_linear.hpp"
#include "postern/infer/markov/problem.hpp"

#include "test_data.hpp"

namespace postern::infer::testing {

/// A file of tests/data/oracles.
inline nlohmann::json markov_oracles(const char* file = "markov-net.json") {
  std::ifstream in(test_data(std::string("oracles/") + file));
  return nlohmann::json::parse(in);
}

/// A number, or one written in decimals; null is minus infinity.
inline double number(const nlohmann::json& json) {
  if (json.is_null()) return kMinusInfinity;
  return json.is_string() ? std::stod(json.get<std::string>()) : json.get<double>();
}

/// All numbers of nested lists, one after the other.
inline std::vector<double> flat(const nlohmann::json& json) {
  if (!json.is_array()) return {number(json)};
  std::vector<double> out;
  for (const auto& part : json) {
    const std::vector<double> inner = flat(part);
    out.insert(out.end(), inner.begin(), inner.end());
  }
  return out;
}

/// Tables of one law over the cliques, from one flat list of values.
inline MarkovProblem markov_problem(graph::Sizes sizes, const std::vector<graph::Variables>& cliques,
                                    const std::vector<double>& values, const release::NoiseLaw& law,
                                    std::int64_t n) {
  MarkovProblem out{std::move(sizes), {}, KnownTotal{n}, {}};
  std::size_t at = 0;
  for (const graph::Variables& clique : cliques) {
    const auto cells = static_cast<std::size_t>(graph::cells_of(clique, out.sizes));
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(at);
    out.tables.push_back({clique, std::vector<double>(from, from + static_cast<std::ptrdiff_t>(cells)), law});
    at += cells;
  }
  return out;
}

/// The instance of markov-net-chain5.json: ten variables of five levels, 24 edges, n = 10,000, b = 48.
struct Chain5 {
  nlohmann::json json = markov_oracles("markov-net-chain5.json");
  graph::Sizes sizes = json.at("sizes").get<graph::Sizes>();
  std::vector<graph::Variables> cliques = json.at("cliques").get<std::vector<graph::Variables>>();
  graph::LogLinear model{sizes, cliques};
  std::vector<double> truth = flat(json.at("theta_true"));
  double b = number(json.at("b"));

  [[nodiscard]] MarkovProblem problem(const release::NoiseLaw& law) const {
    return markov_problem(sizes, cliques, flat(json.at("y")), law, 10'000);
  }
  [[nodiscard]] MarkovProblem problem() const { return problem(release::DiscreteLaplace(1 / b)); }
  [[nodiscard]] double wanted(const char* name) const { return number(json.at("expected_KL").at(name)); }
  [[nodiscard]] double kl(const graph::LogLinear& other, const std::vector<double>& theta) const {
    return graph::kl_divergence(model, truth, other, theta);
  }
};

}  // namespace postern::infer::testing
