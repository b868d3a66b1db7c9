#include "fourier_kernel.hpp"

#include "postern/model/helmert.hpp"

namespace postern::owner {

const std::vector<Int128>& FourierKernel::transformed(const std::vector<std::string>& family) {
  const auto [found, added] = tables_.try_emplace(family);
  if (added) {
    const std::span<const std::int64_t> counts = counts_(family);
    found->second.assign(counts.begin(), counts.end());
    model::helmert_transform<Int128>(found->second, schema_.domain(family).sizes());
  }
  return found->second;
}

std::vector<Int128> FourierKernel::measure(const model::FourierCoefficients& coefficients) {
  std::vector<const std::vector<Int128>*> tables;
  for (const std::vector<std::string>& family : coefficients.families) tables.push_back(&transformed(family));
  std::vector<Int128> out;
  for (const model::FourierTerm& term : model::fourier_terms(coefficients, schema_))
    out.push_back((*tables[term.family])[term.cell]);
  return out;
}

}  // namespace postern::owner
