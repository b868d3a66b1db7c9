#include "markov/law.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

namespace postern::infer::markov {

Law::Law(const Measurements& data, const Conversation& conversation)
    : data_(data), conversation_(conversation), work_(data.model->workspace()), theta_(data.zeros) {
  move_to(data.zeros);
}

void Law::move(std::span<const double> start, std::span<const double> step) {
  for (std::size_t i = 0; i < theta_.size(); ++i) theta_[i] = start[i] + step[i] + data_.zeros[i];
  move_to(theta_);
}

void Law::move_to(std::span<const double> theta) {
  conversation_.check();
  if (theta.data() != theta_.data()) std::ranges::copy(theta, theta_.begin());
  ++propagations_;
  if (data_.model->evaluate(theta_, work_) == kMinusInfinity)
    throw Error(ErrorCode::bad_value, {"the impossible cells leave no state that could be"});
}

void Law::covariance_times(std::span<const double> v, std::span<double> out) {
  ++propagations_;
  data_.model->covariance_times(v, work_, out);
}

double Law::maximum(std::span<const double> g) {
  std::vector<double> weights(data_.zeros);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] += g[i];
  ++propagations_;
  return data_.model->maximum(weights, work_);
}

MarkovFit Law::fit() const {
  MarkovFit out;
  out.model = data_.model;
  out.theta = theta_;
  out.marginals = work_.marginals;
  out.log_partition = work_.log_partition;
  out.total = data_.total;
  out.propagations = propagations_;
  return out;
}

}  // namespace postern::infer::markov
