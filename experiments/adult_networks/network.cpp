#include "network.hpp"

#include "postern/core/draw.hpp"

namespace postern::adult {

std::size_t row_of(const Parents& parents, const Record& record, std::size_t column) {
  std::size_t row = 0;
  for (const std::uint32_t parent : parents[column]) row = row * kSizes[parent] + record[parent];
  return row;
}

std::vector<std::size_t> offsets(const Parents& parents) {
  std::vector<std::size_t> out{0};
  for (std::size_t v = 0; v < parents.size(); ++v) {
    std::size_t cells = kSizes[v];
    for (const std::uint32_t parent : parents[v]) cells *= kSizes[parent];
    out.push_back(out.back() + cells);
  }
  return out;
}

std::array<std::size_t, kColumns> cells_of(const Parents& parents, std::span<const std::size_t> offsets,
                                           const Record& record) {
  std::array<std::size_t, kColumns> out{};
  for (std::size_t v = 0; v < kColumns; ++v)
    out[v] = offsets[v] + row_of(parents, record, v) * kSizes[v] + record[v];
  return out;
}

Theta draw_theta(const Parents& parents, Rng& rng) {
  const std::vector<std::size_t> first = offsets(parents);
  Theta theta(first.back());
  for (std::size_t v = 0; v < kColumns; ++v) {
    const std::vector<double> alpha(kSizes[v], kPrior);
    for (std::size_t row = first[v]; row < first[v + 1]; row += kSizes[v])
      draw_dirichlet(alpha, std::span(theta).subspan(row, kSizes[v]), rng);
  }
  return theta;
}

std::vector<Record> draw_records(const Parents& parents, const Theta& theta, std::size_t n, Rng& rng) {
  const std::vector<std::size_t> first = offsets(parents);
  std::vector<Record> out(n);
  for (Record& record : out) {
    for (std::size_t v = 0; v < kColumns; ++v) {
      const double* p = theta.data() + first[v] + row_of(parents, record, v) * kSizes[v];
      double left = rng.uniform();
      while (record[v] + 1 < kSizes[v] && (left -= p[record[v]]) > 0) ++record[v];
    }
  }
  return out;
}

infer::NetworkProblem noisy_tables(const Parents& parents, const std::vector<Record>& records, double epsilon,
                                   Rng& rng) {
  infer::NetworkProblem problem;
  problem.sizes = kSizes;
  problem.total = infer::KnownTotal{static_cast<std::int64_t>(records.size())};
  const release::NoiseLaw law = release::DiscreteLaplace(epsilon / (2 * static_cast<double>(kColumns)));
  const std::vector<std::size_t> first = offsets(parents);
  for (std::uint32_t v = 0; v < kColumns; ++v) {
    infer::NetworkFamily family;
    family.variables = parents[v];
    family.variables.push_back(v);
    std::vector<std::int64_t> counts(first[v + 1] - first[v]);
    for (const Record& record : records) ++counts[row_of(parents, record, v) * kSizes[v] + record[v]];
    family.alpha.assign(counts.size(), kPrior);
    for (const std::int64_t count : counts)
      family.noisy_values.push_back({{static_cast<double>(count + release::simulate(law, rng)), law}});
    problem.families.push_back(std::move(family));
  }
  return problem;
}

std::vector<Theta> thetas(const infer::ChainRun& run, std::size_t cells) {
  std::vector<Theta> out;
  for (const std::vector<double>& chain : run.draws) {
    const std::size_t draws = chain.size() / cells;
    for (std::size_t i = 0; i < draws; ++i) {
      Theta& theta = out.emplace_back(cells);
      for (std::size_t q = 0; q < cells; ++q) theta[q] = chain[q * draws + i];
    }
  }
  return out;
}

}  // namespace postern::adult
