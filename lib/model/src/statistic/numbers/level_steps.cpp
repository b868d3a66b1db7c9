#include "postern/model/level_steps.hpp"

#include "postern/core/error.hpp"

namespace postern::model {

LevelSteps::LevelSteps(const Column& column)
    : integers_(std::get_if<IntegerRange>(&column.values)),
      reals_(std::get_if<RealRange>(&column.values)),
      levels_(column.levels()) {
  if (integers_ == nullptr && reals_ == nullptr)
    throw Error(ErrorCode::internal, {"only a column of numbers has steps"});
}

Rational LevelSteps::begin(std::uint32_t level) const {
  if (integers_ != nullptr) {
    if (level == 0 || integers_->cuts.empty()) return Rational(integers_->lo + level);
    return Rational(integers_->cuts[level - 1]);
  }
  if (level == 0) return reals_->lo;
  const Rational first =
      reals_->cuts.empty() ? Rational(reals_->lo + reals_->grid * level) : reals_->cuts[level - 1];
  return first - reals_->grid / 2;  // what rounding half up to the grid means
}

Rational LevelSteps::top() const { return integers_ != nullptr ? Rational(integers_->hi) : reals_->hi; }

Rational LevelSteps::stride() const {
  if (integers_ != nullptr) return integers_->cuts.empty() ? 1 : 0;
  return reals_->cuts.empty() ? reals_->grid : Rational(0);
}

}  // namespace postern::model
