#include "setting.hpp"

namespace postern::bs18 {

std::string Setting::model_name() const {
  switch (model) {
    case Model::binomial:
      return "binomial";
    case Model::multinomial:
      return "multinomial";
    case Model::exponential:
      return "exponential";
  }
  return {};
}

std::string Setting::prior_name() const {
  std::string out = model == Model::binomial ? "Beta(" : model == Model::multinomial ? "Dir(" : "Gamma(";
  for (std::size_t i = 0; i < prior.size(); ++i) {
    if (i > 0) out += ';';
    out += std::to_string(static_cast<int>(prior[i]));
  }
  return out + ")";
}

std::string Setting::bounds_name() const {
  if (model != Model::exponential) return "none";
  return bounds == BoundsFrom::prior ? "prior" : "truth";
}

}  // namespace postern::bs18
