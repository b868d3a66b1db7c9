#include "postern/infer/predictor.hpp"

namespace postern::infer {

std::string Predictor::how() const { return "mean over the draws of the probability given the fields"; }

std::optional<std::vector<double>> Predictor::predictive(std::span<const std::int32_t> /*record*/) const {
  return std::nullopt;
}

}  // namespace postern::infer
