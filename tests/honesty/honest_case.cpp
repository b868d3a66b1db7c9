#include "honest_case.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace postern::honesty {

std::string study_head(const std::string& name, bool private_n, bool zcdp, std::size_t n) {
  std::string out = "version = 1\nname = \"honesty\"\ndataset = \"" + name + "\"\n\n[privacy]\n";
  out += std::string("adjacency = \"") + (private_n ? "add-remove" : "replace-one") + "\"\n";
  out += std::string("currency = \"") + (zcdp ? "zcdp" : "pure") + "\"\n";
  if (private_n) out += "n = { at_most = " + std::to_string(2 * n) + " }\n";
  return out;
}

Ends ends_of(std::vector<double> draws) {
  const std::size_t tail = draws.size() / 20;
  const auto at = [&](std::size_t i) {
    std::nth_element(draws.begin(), draws.begin() + static_cast<std::ptrdiff_t>(i), draws.end());
    return draws[i];
  };
  return {at(tail), at(draws.size() - 1 - tail)};
}

std::vector<double> draws_of(const infer::Posterior& posterior, std::size_t quantity) {
  std::vector<double> out;
  out.reserve(posterior.chains * posterior.iterations);
  for (const std::vector<double>& chain : posterior.draws) {
    const auto from = chain.begin() + static_cast<std::ptrdiff_t>(quantity * posterior.iterations);
    out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(posterior.iterations));
  }
  return out;
}

std::size_t quantity_labelled(const infer::Posterior& posterior, const std::string& label) {
  const auto found = std::find(posterior.labels.begin(), posterior.labels.end(), label);
  if (found == posterior.labels.end()) throw std::invalid_argument("no quantity " + label);
  return static_cast<std::size_t>(found - posterior.labels.begin());
}

const std::optional<Records>& Sources::read(const std::string& file) {
  const auto found = known.find(file);
  if (found != known.end()) return found->second;
  std::optional<Records>& out = known[file];
  for (const std::string& folder : {census, tables})
    if (!folder.empty() && !out) out = read_records(std::filesystem::path(folder) / file);
  if (!out) missing.push_back(file);
  return out;
}

}  // namespace postern::honesty
