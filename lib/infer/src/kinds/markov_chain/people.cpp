#include "people.hpp"

#include <algorithm>

#include "postern/model/kinds/markov_chain.hpp"

namespace postern::infer {
namespace {

class ChainPeople : public RecordSampler {
 public:
  explicit ChainPeople(const model::Study& study)
      : states_(study.model.get<model::MarkovChain>().states),
        sequences_{std::get<model::PersonUnit>(study.privacy.unit).column,
                   static_cast<std::size_t>(model::made_up_records(study)),
                   study.schema.at(study.model.get<model::MarkovChain>().time).levels()} {}

  [[nodiscard]] std::optional<Sequences> sequences() const override { return sequences_; }
  /// Sums along each row.
  [[nodiscard]] std::vector<double> ready(std::span<const double> theta) const override {
    std::vector<double> out(theta.begin(), theta.end());
    for (std::size_t cell = 0; cell < out.size(); ++cell) {
      if (cell % states_ != 0) out[cell] += out[cell - 1];
    }
    return out;
  }
  void draw(std::span<const double> ready, std::span<std::uint32_t> levels, Rng& rng) const override {
    std::size_t row = 0;  // the first one is that of first states
    for (std::size_t at = 0; at < levels.size(); at += 2) {
      const std::span<const double> sums = ready.subspan(row * states_, states_);
      const double u = rng.uniform() * sums.back();
      const auto found = std::upper_bound(sums.begin(), sums.end() - 1, u);
      const auto state = static_cast<std::uint32_t>(found - sums.begin());
      levels[at] = static_cast<std::uint32_t>(at / 2);
      levels[at + 1] = state;
      row = 1 + std::size_t{state};
    }
  }

 private:
  std::size_t states_;
  Sequences sequences_;
};

}  // namespace

std::unique_ptr<const RecordSampler> chain_people(const model::Study& study) {
  return std::make_unique<ChainPeople>(study);
}

}  // namespace postern::infer
