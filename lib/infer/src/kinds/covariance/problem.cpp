#include "problem.hpp"

#include <algorithm>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/statistic/moments.hpp"
#include "postern/model/statistic/sums.hpp"
#include "postern/model/statistic/table.hpp"

#include "kinds/linear_regression/problem.hpp"
#include "posterior/named_total.hpp"

namespace postern::infer {
namespace {

/// Steps k of a column's grid, w = k / half - origin.
struct GridScale {
  double half = 1;
  double origin = 0;
};

class Maker {
 public:
  Maker(NormalColumns& out, const model::Schema& schema) : out_(out), schema_(schema) {
    for (const std::string& name : out.names) {
      const model::LevelValues values = model::level_values(schema.at(name), {});
      const auto least = static_cast<double>(values.adds.front());
      const auto most = static_cast<double>(values.adds.back());
      const double half = 0.5 * (most - least);
      grids_.push_back({half, 0.5 * (least + most) / half});
      out.scales.push_back({values.zero + values.unit * 0.5 * (least + most), values.unit * half});
      out.steps.push_back(1 / half);
    }
  }
  void add(const release::MeasuredBlock& measured) {
    const model::Statistic& statistic = measured.block.statistic;
    if (const auto* sum = statistic.as<model::LevelSum>()) {
      if (sum->mirrored || sum->transform.kind != model::Transform::Kind::identity || sum->power == 0)
        refuse("a release holds a sum that its model does not need");
      const std::size_t place = place_of(sum->column);
      add_steps(measured, place, sum->power == 1 ? 0 : place);
    } else if (const auto* product = statistic.as<model::ProductSum>()) {
      add_steps(measured, place_of(product->first), place_of(product->second));
    } else {
      add_scaled(measured);
    }
  }

 private:
  [[noreturn]] static void refuse(Piece what) { throw Error(ErrorCode::release_inconsistent, {what}); }
  /// In w, where 1 is the first column.
  [[nodiscard]] std::size_t place_of(const std::string& column) const {
    const auto at = std::find(out_.names.begin(), out_.names.end(), column);
    if (at == out_.names.end()) refuse("a release holds a sum of a column outside its model");
    return static_cast<std::size_t>(at - out_.names.begin()) + 1;
  }
  void add_steps(const release::MeasuredBlock& measured, std::size_t i, std::size_t j) {
    const auto half = [&](std::size_t place) { return place == 0 ? 1 : grids_[place - 1].half; };
    const double unit = 1 / (half(i) * half(j));
    NoisyMoment one{i, j, unit * static_cast<double>(measured.values.at(0)),
                    scaled_noise(measured.block.noise, unit)};
    one.unit = unit;
    out_.problem.moments.push_back(one);
    if (!out_.problem.origin.empty()) return;
    for (const GridScale& grid : grids_) out_.problem.origin.push_back(grid.origin);
  }
  /// Sums as a regression of the last column on the others has them.
  void add_scaled(const release::MeasuredBlock& measured) {
    RegressionProblem one;
    one.features = out_.names.size() - 1;
    add_regression_block(one, measured, schema_);
    out_.problem.moments.insert(out_.problem.moments.end(), one.moments.begin(), one.moments.end());
    if (measured.block.statistic.as<model::RecordCount>() != nullptr) return;
    if (!out_.problem.origin.empty()) refuse("a release holds sums of two kinds");
    for (std::size_t i = 0; i < out_.names.size(); ++i) {
      out_.scales[i] = model::regression_scale(schema_.at(out_.names[i]));
      out_.steps[i] = 1.0 / static_cast<double>(measured.block.statistic.as<model::Moments>()->steps);
    }
  }

  NormalColumns& out_;
  const model::Schema& schema_;
  std::vector<GridScale> grids_;
};

}  // namespace

NormalColumns make_normal_columns(const std::vector<std::string>& names, const release::RecordSet& releases) {
  NormalColumns out;
  out.names = names;
  out.problem.columns = names.size();
  Maker maker(out, releases.front()->study.schema);
  for (const release::Release* release : releases) {
    for (const release::MeasuredBlock& block : release->blocks) maker.add(block);
  }
  out.problem.total = total_of(releases);
  return out;
}

void ask_for_axes(NormalColumns& columns) {
  columns.problem.axis_units.clear();
  for (const model::RegressionScale& scale : columns.scales) columns.problem.axis_units.push_back(scale.half);
}

void state_prior(NormalColumns& columns, model::WishartPrior prior) {
  const std::size_t d = columns.names.size();
  for (std::size_t i = 0; i < d; ++i) {
    prior.mean[i] = (prior.mean[i] - columns.scales[i].centre) / columns.scales[i].half;
    for (std::size_t j = 0; j < d; ++j)
      prior.scale[i * d + j] /= columns.scales[i].half * columns.scales[j].half;
  }
  columns.problem.stated = std::move(prior);
}

}  // namespace postern::infer
