#include "truth.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/kinds/table/count_model.hpp"
#include "postern/infer/query.hpp"
#include "postern/model/kinds/table.hpp"

#include "cells.hpp"
#include "query/assumption.hpp"

namespace postern::infer {
namespace {

/// Cells settled so far.
class Cells {
 public:
  explicit Cells(const model::Study& study)
      : study_(study), model_(make_count_model(study, {})), values_(model_.alpha.size(), kOpen) {}

  void assume(const Assumption& one) {
    if (one.value < 0 || one.value > 1) refuse_value(one.what, "a probability, from 0 to 1");
    const std::vector<bool> event = event_of(one.what);
    double weight = 0;
    for (std::size_t i = 0; i < event.size(); ++i) {
      if (!event[i]) continue;
      if (values_[i] != kOpen)
        throw Error(ErrorCode::bad_option, {"at: '", from_option(one.what),
                                            "' holds a cell that another probability holds; give disjoint "
                                            "ones, such as the cells themselves"});
      weight += model_.alpha[i];
    }
    if (weight == 0)
      throw Error(ErrorCode::bad_option, {"at: '", from_option(one.what), "' holds no cell of the table"});
    share(event, weight, one.value);
  }

  /// What is left goes to the cells that nothing was said about.
  [[nodiscard]] std::vector<double> settled() {
    constexpr double kRounding = 1e-6;  // of probabilities written with six digits
    std::vector<bool> open(values_.size());
    double weight = 0;
    double given = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      open[i] = values_[i] == kOpen;
      (open[i] ? weight : given) += open[i] ? model_.alpha[i] : values_[i];
    }
    if (given > 1 + kRounding || (weight == 0 && given < 1 - kRounding)) {
      throw Error(ErrorCode::bad_option, {"at: the probabilities of all cells sum to 1, and these do not"});
    }
    if (weight > 0) share(open, weight, std::max(0.0, 1 - given));
    const double total = std::accumulate(values_.begin(), values_.end(), 0.0);
    for (double& value : values_) value /= total;
    return values_;
  }

 private:
  static constexpr double kOpen = -1;

  void share(const std::vector<bool>& among, double weight, double probability) {
    for (std::size_t i = 0; i < among.size(); ++i) {
      if (among[i]) values_[i] = probability * model_.alpha[i] / weight;
    }
  }
  [[nodiscard]] std::vector<bool> event_of(const std::string& what) const {
    for (const CellQuantity& one : model_.quantities) {
      if (one.name != what) continue;
      std::vector<bool> event(values_.size());
      event[one.cell] = true;
      return event;
    }
    const Query query = parse_query(what, study_);
    if (!query.plain() || query.probabilities.front().conditional) {
      throw Error(ErrorCode::bad_option, {"at: '", from_option(what),
                                          "' is a conditional probability, or made of several, and settles "
                                          "no cell; give joint ones, \"P(a = x, b = y)\""});
    }
    return cells_of(query.probabilities.front().event, study_);
  }

  const model::Study& study_;
  CountModel model_;
  std::vector<double> values_;
};

}  // namespace

std::vector<double> table_truth(const std::string& text, const model::Study& study) {
  const std::string example = make_count_model(study, {}).quantities.front().label + " 0.3";
  Cells cells(study);
  for (const Assumption& one : read_assumptions(text, example)) cells.assume(one);
  const std::vector<double> settled = cells.settled();
  const auto* one = study.model.as<model::Bernoulli>();
  return one != nullptr ? std::vector<double>{settled[one->success]} : settled;
}

}  // namespace postern::infer
