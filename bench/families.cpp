// The release of a network of 100 columns with three levels and three parents each, from 10^6 coded rows, on
// one thread: 100 family tables are counted, noised and put into a document.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "postern/model/kinds/bayes_net.hpp"
#include "postern/model/plan.hpp"
#include "postern/owner/gate.hpp"
#include "postern/owner/measure.hpp"

#include "bench.hpp"

namespace {

using namespace postern;

constexpr std::uint32_t kColumns = 100;
constexpr std::uint32_t kLevels = 3;
constexpr std::size_t kRows = 1'000'000;

/// Every column from the fourth on has three parents at random among those before it.
model::Study network(std::mt19937_64& random) {
  model::Study study;
  study.name = study.dataset = "families";
  std::vector<model::Column> columns;
  model::BayesNet net;
  for (std::uint32_t i = 0; i < kColumns; ++i) {
    columns.push_back({"c" + std::to_string(i), model::IntegerRange{0, kLevels - 1, {}}, model::MapTo{0},
                       model::Clamp{}, true});
    model::BayesNode node{columns.back().name, {}, {}};
    std::size_t cells = kLevels;
    while (node.parents.size() < std::min(i, 3u)) {
      const std::string parent = "c" + std::to_string(random() % i);
      if (std::find(node.parents.begin(), node.parents.end(), parent) != node.parents.end()) continue;
      node.parents.push_back(parent);
      cells *= kLevels;
    }
    node.alpha.assign(cells, Rational(1, 2));
    net.nodes.push_back(std::move(node));
  }
  study.schema = model::Schema(std::move(columns));
  study.model = std::move(net);
  model::check_study(study);
  return study;
}

owner::Records coded_rows(const model::Study& study, std::mt19937_64& random) {
  std::vector<owner::CodedColumn> columns;
  for (std::uint32_t c = 0; c < kColumns; ++c) {
    owner::Wiped<std::uint8_t> codes(kRows);
    for (auto& code : codes) code = static_cast<std::uint8_t>((random() >> 32) * kLevels >> 32);
    columns.emplace_back(std::move(codes));
  }
  return {model::columns_of(study.model), std::vector<std::uint32_t>(kColumns, kLevels), std::move(columns),
          kRows};
}

}  // namespace

int main() {
  std::mt19937_64 random(1);
  const model::Study study = network(random);
  const owner::Records records = coded_rows(study, random);
  const model::NoisePlan plan =
      make_noise_plan(study, model::Mechanism::laplace, Spend::parse(Currency::pure, "1"));
  owner::Ledger ledger =
      owner::Ledger::rehearsal({study.dataset, study.privacy, Spend::parse(Currency::pure, "1000")});
  owner::Entropy entropy;
  bench::Report report;
  std::vector<double> times;
  for (int run = 0; run < 3; ++run) {
    const double start = bench::cpu_seconds();
    const release::Release made =
        owner::pass_gate({study, plan}, ledger, entropy, [&](const model::Measurement& measurement) {
          return owner::Measured{static_cast<std::int64_t>(records.rows()),
                                 owner::measure(records, study.schema, measurement, 1)};
        });
    times.push_back(bench::cpu_seconds() - start);
    if (made.blocks.size() != kColumns) return 1;
  }
  std::sort(times.begin(), times.end());
  report.add("families: 100 tables of a network, 10^6 rows", times[1], "CPU s");
}
