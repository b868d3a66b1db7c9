#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>
#include <unistd.h>

#include "postern/model/plan.hpp"
#include "postern/model/statistic/sums.hpp"
#include "postern/owner/source.hpp"

#include "audit_kit.hpp"
#include "vector_studies.hpp"

// Audits of the multivariate normal: CSV file -> levels -> sums and products -> gate, on files that differ in
// one record at corners of the box, at the worst record or pair of them, or outside. alpha = 1e-6 an audit.
// A pure budget that up to ten sums share shows itself whole only where the noise of all of them is on one
// side, so N is 64000 for it, and 8000 for zCDP: enough to see noise of half the scale every time.

namespace postern::owner {
namespace {

using model::Adjacency;
using model::Box;

constexpr double kAlpha = 1e-6;
constexpr std::size_t kCopies = 200;

using Vector = std::vector<std::int64_t>;

/// The statistics of made-up records, read as the owner reads them.
class Reader {
 public:
  explicit Reader(const model::Study& study) : study_(study), path_(testing::TempDir() + "vectors-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) ADD_FAILURE() << "no temporary folder";
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() { std::filesystem::remove_all(path_); }
  [[nodiscard]] Measured read(const std::vector<Vector>& records,
                              const model::Measurement& measurement) const {
    std::string text;
    for (const model::Column& column : study_.schema.columns())
      text += (text.empty() ? "" : ",") + column.name;
    text += '\n';
    for (const Vector& record : records) {
      for (std::size_t i = 0; i < record.size(); ++i)
        text.append(i == 0 ? "" : ",").append(std::to_string(record[i]));
      text += '\n';
    }
    const std::string file = path_ + "/records.csv";
    std::ofstream(file, std::ios::binary) << text;
    return open_csv(file, study_, 1)(measurement);
  }

 private:
  const model::Study& study_;
  std::string path_;
};

/// All vectors of the box.
std::vector<Vector> all_vectors(const Box& box) {
  std::vector<Vector> out{{}};
  for (const auto& [lo, hi] : box) {
    std::vector<Vector> longer;
    for (const Vector& vector : out) {
      for (std::int64_t x = lo; x <= hi; ++x) {
        longer.push_back(vector);
        longer.back().push_back(x);
      }
    }
    out = std::move(longer);
  }
  return out;
}

double price(const Vector& from, const Vector& to, const model::NoisePlan& plan) {
  double total = 0;
  const auto at = [](const Vector& v, const std::string& column) {
    return static_cast<double>(v[static_cast<std::size_t>(column[0] - 'a')]);
  };
  for (const model::Block& block : plan.measurement.blocks) {
    double change = 0;
    if (const auto* sum = block.statistic.as<model::LevelSum>()) {
      const double a = at(from, sum->column);
      const double b = at(to, sum->column);
      change = sum->power == 2 ? a * a - b * b : a - b;
    } else if (const auto* product = block.statistic.as<model::ProductSum>()) {
      change = at(from, product->first) * at(from, product->second) -
               at(to, product->first) * at(to, product->second);
    }
    const double p = block.noise.parameter.get_d();
    total += block.noise.kind == model::NoiseKind::discrete_laplace ? p * std::abs(change)
                                                                    : change * change / (2 * p);
  }
  return total;
}

struct Change {
  std::vector<Vector> before, after;  ///< one record, or none
};

/// The worst change of one record beside corners and vectors outside. @pre 0 lies in every range, so that
/// k = x
std::vector<Change> changes(const Box& box, const model::Study& study, const model::NoisePlan& plan) {
  Vector low;
  Vector high;
  for (const auto& [lo, hi] : box) {
    low.push_back(lo);
    high.push_back(hi);
  }
  Vector mixed = high;
  mixed[0] = low[0];
  const Vector far(box.size(), 1'000'000'000);
  const std::vector<Vector> all = all_vectors(box);
  const bool joins = study.privacy.adjacency == Adjacency::add_remove;
  const std::vector<Vector> others = joins ? std::vector<Vector>{Vector(box.size(), 0)} : all;
  Change worst;
  double most = 0;
  for (const Vector& a : others) {
    for (const Vector& b : all) {
      if (price(a, b, plan) <= most * (1 + 1e-9)) continue;
      most = price(a, b, plan);
      worst = {{a}, {b}};
    }
  }
  if (joins) return {{{}, worst.after}, {{}, {low}}, {{}, {high}}, {{}, {mixed}}, {{}, {far}}};
  return {worst, {{low}, {high}}, {{mixed}, {high}}, {{low}, {far}}};
}

void audit(const Box& box, const model::Study& study, const model::NoisePlan& plan) {
  const Reader reader(study);
  Entropy entropy;
  const std::size_t passes = study.privacy.currency == Currency::pure ? 320 : 40;
  std::set<std::vector<std::vector<Int128>>> seen;  // clamped values give the neighbours of the ends again
  for (const Change& change : changes(box, study, plan)) {
    const Measured d = reader.read(change.before, plan.measurement);
    const Measured neighbour = reader.read(change.after, plan.measurement);
    const Neighbours pair{"one record", d.n, neighbour.n, d.blocks, neighbour.blocks};
    std::vector<std::vector<Int128>> moves = pair.neighbour_blocks;
    for (std::size_t b = 0; b < moves.size(); ++b) moves[b][0] -= pair.blocks[b][0];
    if (!seen.insert(moves).second) continue;
    for (const Event event : {Event::likelihood_ratio, Event::projection}) {
      const auto on_d = run_gate(study, plan, pair, false, event, passes, kCopies, entropy);
      const auto on_neighbour = run_gate(study, plan, pair, true, event, passes, kCopies, entropy);
      const auto found = assess::audit_lower_bound(on_d, on_neighbour, study.privacy.currency, kAlpha);
      EXPECT_LE(found.lower, plan.cost.exact().get_d());
    }
  }
  EXPECT_GE(seen.size(), 2u);
}

struct Setting {
  Box box;
  Adjacency adjacency;
  Currency currency;
};

class VectorAudit : public testing::TestWithParam<Setting> {};

// epsilon 2, or rho 1/2.
TEST_P(VectorAudit, ShowsNoMoreThanTheClaim) {
  const auto& [box, adjacency, currency] = GetParam();
  const model::Study study = model::vector_study(box, adjacency, currency);
  const Spend budget = Spend::parse(currency, currency == Currency::pure ? "2" : "0.5");
  audit(box, study, model::make_noise_plan(study, model::default_mechanism(study), budget));
}

std::vector<Setting> settings() {
  std::vector<Setting> out;
  for (const Box& box : {Box{{-3, 3}, {-2, 2}}, Box{{0, 5}, {-2, 1}}, Box{{-2, 2}, {-2, 2}, {-2, 2}}}) {
    for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove}) {
      for (const Currency currency : {Currency::pure, Currency::zcdp})
        out.push_back({box, adjacency, currency});
    }
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(All, VectorAudit, testing::ValuesIn(settings()), [](const auto& one) {
  const Setting& setting = one.param;
  return "box" + std::to_string(one.index / 4) +
         (setting.adjacency == Adjacency::add_remove ? "_add_remove_" : "_replace_one_") +
         std::string(to_text(setting.currency));
});

model::Block laplace(model::Statistic statistic, const Rational& lambda) {
  return {std::move(statistic), {model::NoiseKind::discrete_laplace, lambda}, 1};
}

void audit_any_noise(const Box& box, Adjacency adjacency, std::vector<model::Block> blocks) {
  const model::Study study = model::vector_study(box, adjacency, Currency::pure);
  model::NoisePlan plan;
  plan.measurement.blocks = std::move(blocks);
  plan.cost = Spend::ceil(Currency::pure, cost(plan.measurement, study.schema, study.privacy));
  audit(box, study, plan);
}

// cost() must be right for any noise: here mostly the product is paid for.
TEST(VectorAuditOfAnyNoise, ADearProduct) {
  for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove}) {
    audit_any_noise({{-3, 3}, {-2, 2}}, adjacency,
                    {laplace(model::LevelSum{"a", {}}, Rational(1, 30)),
                     laplace(model::LevelSum{"b", {}}, Rational(1, 20)),
                     laplace(model::ProductSum{"a", "b"}, Rational(1, 6))});
  }
}

// And here mostly the squares, whose worst pair is a corner and a vector near zero.
TEST(VectorAuditOfAnyNoise, DearSquares) {
  audit_any_noise({{-3, 3}, {-2, 2}}, Adjacency::replace_one,
                  {laplace(model::LevelSum{"a", {}, 2}, Rational(1, 9)),
                   laplace(model::LevelSum{"b", {}, 2}, Rational(1, 4)),
                   laplace(model::ProductSum{"a", "b"}, Rational(1, 60))});
}

}  // namespace
}  // namespace postern::owner
