// Exact inference in small Markov networks, against forty-digit arithmetic.

#include <cmath>

#include <gtest/gtest.h>

#include "postern/graph/log_linear.hpp"

#include "markov_oracles.hpp"

namespace postern::infer {
namespace {

using testing::flat;
using testing::number;

class MarkovInference : public ::testing::TestWithParam<const char*> {};

TEST_P(MarkovInference, IsThatOfFortyDigits) {
  constexpr double close = 1e-12;
  const auto json = testing::markov_oracles().at(GetParam());
  const graph::LogLinear model(json.at("sizes").get<graph::Sizes>(),
                               json.at("cliques").get<std::vector<graph::Variables>>());
  const std::vector<double> theta = flat(json.at("theta"));
  graph::LogLinear::Workspace work = model.workspace();
  EXPECT_NEAR(model.maximum(theta, work), number(json.at("map_value")), close);
  std::vector<std::uint32_t> best(model.sizes().size());
  (void)model.propagation().maximise(theta, {}, work.propagation, best);
  EXPECT_EQ(best, json.at("map_state").get<std::vector<std::uint32_t>>());
  EXPECT_NEAR(model.evaluate(theta, work), number(json.at("logZ")), close);
  EXPECT_NEAR(graph::entropy(theta, work), number(json.at("entropy")), close);
  const std::vector<double> marginals = flat(json.at("marginals"));
  for (std::size_t i = 0; i < marginals.size(); ++i) EXPECT_NEAR(work.marginals[i], marginals[i], close);
  for (std::uint32_t v = 0; v < model.sizes().size(); ++v) {
    const std::vector<double> node = model.propagation().marginal(graph::Variables{v}, work.propagation);
    const std::vector<double> wanted = flat(json.at("node_marginals").at(v));
    for (std::size_t i = 0; i < node.size(); ++i) EXPECT_NEAR(node[i], wanted[i], close);
  }
  std::vector<double> v(model.dimension());
  for (std::size_t j = 0; j < v.size(); ++j)
    v[j] = (static_cast<double>((7 * j * j + 3 * j + 1) % 11) - 5) / 5;
  std::vector<double> product(v.size());
  model.covariance_times(v, work, product);
  const std::vector<double> covariance = flat(json.at("cov_v").at("Sigma_v"));
  for (std::size_t j = 0; j < v.size(); ++j) EXPECT_NEAR(product[j], covariance[j], close);
  if (!json.contains("theta2")) return;
  const std::vector<double> other = flat(json.at("theta2"));
  EXPECT_NEAR(model.log_partition(other, work), number(json.at("logZ2")), close);
  EXPECT_NEAR(graph::kl_divergence(model, theta, model, other), number(json.at("KL_12")), close);
  EXPECT_NEAR(graph::kl_divergence(model, other, model, theta), number(json.at("KL_21")), close);
}

INSTANTIATE_TEST_SUITE_P(Oracles, MarkovInference,
                         ::testing::Values("chain3_binary", "triangle_binary_nondecomposable", "cycle4_mixed",
                                           "structural_zero", "disconnected"),
                         [](const auto& one) { return std::string(one.param); });

TEST(MarkovInference, NoiseOfTables) {
  const auto oracles = testing::markov_oracles();
  for (const auto& one : oracles.at("discrete_laplace")) {
    const release::DiscreteLaplace law(1 / number(one.at("b")));
    EXPECT_NEAR(law.variance(), number(one.at("variance")), 1e-12 * law.variance());
    for (const auto& [k, p] : one.at("pmf").items())
      EXPECT_NEAR(std::exp(law.log_pmf(std::stod(k))), number(p), 1e-12);
  }
}

TEST(MarkovInference, OfAChainOfTenVariables) {
  const testing::Chain5 chain;
  graph::LogLinear::Workspace work = chain.model.workspace();
  EXPECT_NEAR(chain.model.evaluate(chain.truth, work), chain.wanted("logZ_true"), 1e-10);
  EXPECT_NEAR(graph::entropy(chain.truth, work), chain.wanted("entropy_true"), 1e-10);
  EXPECT_NEAR(chain.kl(chain.model, std::vector<double>(chain.truth.size())), chain.wanted("kl_uniform"),
              1e-7);
}

}  // namespace
}  // namespace postern::infer
