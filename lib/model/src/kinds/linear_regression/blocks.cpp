#include "kinds/linear_regression/blocks.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "postern/model/kinds/linear_regression.hpp"
#include "postern/model/statistic/table.hpp"

#include "plan/sharing.hpp"

namespace postern::model {
namespace {

constexpr double kDrowned = 0.3;

/// The deviation of noise, near enough for this purpose.
double deviation(const Noise& noise) {
  if (noise.kind == NoiseKind::discrete_gaussian) return std::sqrt(noise.parameter.get_d());
  return std::sqrt(2.0) / noise.parameter.get_d();
}

/// All blocks, with equal shares.
std::vector<WantedBlock> wanted_blocks(const Study& study, bool products) {
  const auto& model = study.model.get<LinearRegression>();
  const bool centred = study.privacy.adjacency == Adjacency::add_remove;
  const Rational twice = study.privacy.currency == Currency::pure ? 1 : 2;
  std::vector<WantedBlock> out;
  if (centred) out.push_back({"count", RecordCount{}});
  for (const MomentPart part : {MomentPart::x, MomentPart::y, MomentPart::x_squares, MomentPart::y_square,
                                MomentPart::xx, MomentPart::xy}) {
    if (part == MomentPart::xx && !products) continue;
    const bool square = part == MomentPart::x_squares || part == MomentPart::y_square;
    Moments one{model.features, model.target, model.steps, part, square && centred};
    if (moment_pairs(one, study.schema).empty()) continue;
    const Rational unit = unit_of(moment_unit(one), study);
    out.push_back({std::string(to_text(part)), std::move(one), square ? unit : Rational(twice * unit)});
  }
  return out;
}

/// For predictions where products of two features tell nothing.
Rational share_without_products(const Statistic& statistic) {
  const auto* moments = statistic.as<Moments>();
  if (moments == nullptr) return 1;
  switch (moments->part) {
    case MomentPart::y:
      return 6;
    case MomentPart::x:
    case MomentPart::xy:
      return 3;
    case MomentPart::xx:
      return Rational(1, 20);
    default:
      return 1;
  }
}

}  // namespace

std::vector<Block> design_moments(const Study& study, const Request& request, const Rational& budget) {
  const bool products = study.model.get<LinearRegression>().feature_products;
  std::vector<WantedBlock> wanted = wanted_blocks(study, products);
  if (!products || products_surely_drown(study, budget)) {
    for (WantedBlock& one : wanted) one.unit *= share_without_products(one.statistic);
  }
  return share_out(wanted, study, request, budget);
}

std::optional<double> noise_of_products(const Study& study, const Rational& budget) {
  for (const Block& block : share_out(wanted_blocks(study, true), study, {}, budget)) {
    const auto* moments = block.statistic.as<Moments>();
    if (moments != nullptr && moments->part == MomentPart::xx)
      return deviation(block.noise) * moment_unit(*moments).get_d();
  }
  return std::nullopt;
}

double signal_of_products(const Study& study, double n) {
  return n * study.model.get<LinearRegression>().prior.spread.get_d();
}

bool products_drown(double noise, double signal) { return noise > kDrowned * signal; }

bool products_surely_drown(const Study& study, const Rational& budget) {
  if (!study.privacy.n_at_most) return false;
  const std::optional<double> noise = noise_of_products(study, budget);
  return noise &&
         products_drown(*noise, signal_of_products(study, static_cast<double>(*study.privacy.n_at_most)));
}

}  // namespace postern::model
