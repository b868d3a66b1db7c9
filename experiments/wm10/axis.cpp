#include "axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <fstream>
#include <numbers>
#include <string>

#include "postern/assess/simulate.hpp"
#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/infer.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/kinds/principal_axis.hpp"
#include "postern/model/plan.hpp"

namespace postern::wm10 {
namespace {

constexpr std::int64_t kRecords = 1000;
constexpr std::size_t kBins = 36;
constexpr std::array<std::int64_t, 5> kThousandths{1, 3, 10, 30, 100};

model::Study axis_study() {
  model::Column column;
  column.values = model::RealRange{-5, 5, Rational(1, 2), {}};
  column.outside = model::Clamp{};
  model::Study study;
  study.name = study.dataset = "axis";
  study.privacy.adjacency = model::Adjacency::replace_one;
  std::vector<model::Column> columns(2, column);
  columns[0].name = "a";
  columns[1].name = "b";
  study.schema = model::Schema(columns);
  study.model =
      model::PrincipalAxis{{"a", "b"}, Rational(1, 2), 24, {Rational(3, 4), Rational(3, 2), 3}, 1, 4};
  model::check_study(study);
  return study;
}

/// A candidate that the mechanism would choose from records about the truth.
std::int64_t choose(const model::Study& study, const model::Block& block, Rng& rng) {
  const auto& table = block.statistic.get<model::ScoreTable>();
  const auto number = model::encoded_number(study.schema.at("a"), {}, model::Wholes::rounded);
  std::vector<double> totals(table.candidates.size(), 0.0);
  const std::size_t cells = number.levels() * number.levels();
  for (std::int64_t r = 0; r < kRecords; ++r) {
    const double along = 1.5 * draw_normal(rng) + 0.5 * draw_normal(rng);
    const auto a = static_cast<std::size_t>(number.level_of(along));
    const auto b = static_cast<std::size_t>(number.level_of(0.5 * draw_normal(rng)));
    for (std::size_t z = 0; z < totals.size(); ++z)
      totals[z] += block.noise.parameter.get_d() *
                   static_cast<double>(table.scores[z * cells + a * number.levels() + b]);
  }
  const double whole = log_sum_exp(totals);
  double rest = rng.uniform();
  std::size_t z = 0;
  while (z + 1 < totals.size() && rest >= std::exp(totals[z] - whole)) rest -= std::exp(totals[z++] - whole);
  return static_cast<std::int64_t>(z);
}

struct Told {
  AxisPoint point;
  std::array<double, kBins> bins{};
};

Told tell(const infer::Posterior& posterior) {
  Told out;
  const auto found = std::find(posterior.names.begin(), posterior.names.end(), "direction.1");
  const auto q = static_cast<std::size_t>(found - posterior.names.begin()) * posterior.iterations;
  const double count = static_cast<double>(posterior.chains * posterior.iterations);
  std::complex<double> twice = 0;
  for (const std::vector<double>& chain : posterior.draws) {
    for (std::size_t i = 0; i < posterior.iterations; ++i) {
      const double degrees = std::remainder(chain[q + i], 180.0);
      twice += std::polar(1 / count, degrees * std::numbers::pi / 90);
      out.point.near += std::abs(degrees) <= 15 ? 1 / count : 0;
      out.point.off += std::abs(degrees) / count;
      out.bins[std::min(kBins - 1, static_cast<std::size_t>((degrees + 90) / 5))] += 1 / count;
    }
  }
  out.point.resultant = std::abs(twice);
  return out;
}

}  // namespace

void write_axes(const std::filesystem::path& folder, const Plan& plan) {
  const model::Study study = axis_study();
  const std::size_t releases = plan.quick ? 2 : 12;
  std::ofstream rows(folder / "wm10-fig4.csv");
  std::ofstream angles(folder / "wm10-fig4-angles.csv");
  rows << "exponent,epsilon,releases,resultant,near,off\n";
  angles << "exponent,release,degrees,mass\n";
  for (const std::int64_t thousandths : kThousandths) {
    if (plan.quick && thousandths > 10) break;  // chains from there on
    // Scores move by at most 4 between neighbours.
    const Spend budget{Currency::pure, 4'000'000 * thousandths};
    const auto noise = model::make_noise_plan(study, model::Mechanism::exponential, budget);
    AxisPoint mean;
    for (std::size_t r = 0; r < releases; ++r) {
      Rng rng(plan.seed, static_cast<std::uint32_t>(1000 * r + static_cast<std::size_t>(thousandths)),
              Purpose::simulation);
      release::Release release = assess::simulate_study(study, noise, kRecords, rng).release;
      release.blocks.front().values = {choose(study, release.blocks.front().block, rng)};
      release.release_id = release.ledger.record_set = std::string(32, 'a');
      infer::InferOptions options;
      options.draws = plan.quick ? 250 : 1000;
      options.seed = plan.seed + r;
      options.threads = plan.threads;
      const Told told = tell(infer::infer({&release, 1}, options, {}));
      const double share = 1 / static_cast<double>(releases);
      mean.resultant += share * told.point.resultant;
      mean.near += share * told.point.near;
      mean.off += share * told.point.off;
      for (std::size_t b = 0; r < 3 && b < kBins; ++b)
        angles << static_cast<double>(thousandths) / 1000 << ',' << r << ','
               << -87.5 + 5 * static_cast<double>(b) << ',' << told.bins[b] << '\n';
    }
    rows << static_cast<double>(thousandths) / 1000 << ',' << static_cast<double>(4 * thousandths) / 1000
         << ',' << releases << ',' << mean.resultant << ',' << mean.near << ',' << mean.off << '\n';
  }
}

}  // namespace postern::wm10
