#include <algorithm>
#include <utility>

#include "postern/infer/network/fourier.hpp"
#include "postern/model/statistic/fourier.hpp"
#include "postern/model/statistic/table.hpp"

namespace postern::infer {

bool add_coefficients(NetworkProblem& problem, const release::MeasuredBlock& measured,
                      const model::Schema& schema, const std::map<std::string, std::uint32_t>& number) {
  const auto* fourier = measured.block.statistic.as<model::FourierCoefficients>();
  const bool counts = measured.block.statistic.as<model::RecordCount>() != nullptr;
  if (fourier == nullptr && !counts) return false;
  const release::NoiseLaw law = release::noise_law(measured.block.noise);
  if (counts) {
    problem.coefficients.push_back({{}, {}, {static_cast<double>(measured.values.at(0)), law}});
    return true;
  }
  std::vector<graph::Domain> domains;
  for (const std::vector<std::string>& family : fourier->families) domains.push_back(schema.domain(family));
  const std::vector<model::FourierTerm> terms = model::fourier_terms(*fourier, schema);
  for (std::size_t j = 0; j < terms.size(); ++j) {
    const std::vector<std::string>& family = fourier->families[terms[j].family];
    const std::vector<std::uint32_t> contrasts = domains[terms[j].family].levels_of(terms[j].cell);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> held;
    for (std::size_t i = 0; i < family.size(); ++i) {
      if (contrasts[i] > 0) held.emplace_back(number.at(family[i]), contrasts[i]);
    }
    std::sort(held.begin(), held.end());
    NoisyCoefficient one{{}, {}, {static_cast<double>(measured.values.at(j)), law}};
    for (const auto& [variable, contrast] : held) {
      one.variables.push_back(variable);
      one.contrasts.push_back(contrast);
    }
    problem.coefficients.push_back(std::move(one));
  }
  return true;
}

}  // namespace postern::infer
