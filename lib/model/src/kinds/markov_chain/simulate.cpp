#include "kinds/markov_chain/simulate.hpp"

#include <algorithm>

#include "postern/core/draw.hpp"
#include "postern/model/study.hpp"

namespace postern::model {
namespace {

/// One level of a row of probabilities, which may sum to 1 up to rounding only.
std::uint32_t draw_level(std::span<const double> row, Rng& rng) {
  double rest = rng.uniform();
  for (std::size_t level = 0; level + 1 < row.size(); ++level) {
    if (rest < row[level]) return static_cast<std::uint32_t>(level);
    rest -= row[level];
  }
  return static_cast<std::uint32_t>(row.size() - 1);
}

/// The law of the first state and all rows of the matrix, from the prior.
std::vector<double> draw_parameters(const MarkovChain& chain, Rng& rng) {
  const std::size_t states = chain.states;
  std::vector<double> theta((1 + states) * states, chain.alpha.get_d());
  for (std::size_t row = 0; row <= states; ++row) {
    const std::span<double> cells = std::span(theta).subspan(row * states, states);
    draw_dirichlet(cells, cells, rng);
  }
  if (chain.idle) leave_out(std::span(theta).subspan(states * (1 + *chain.idle), states), *chain.idle);
  return theta;
}

class SimulatedChain : public SimulatedPeople {
 public:
  struct Shape {
    std::size_t states = 0;
    std::int64_t length = 1;  ///< records of a person
    std::int64_t n = 0;       ///< records of all
  };
  SimulatedChain(const Shape& shape, std::vector<double> theta, const Rng& rng)
      : shape_(shape), theta_(std::move(theta)), rng_(rng) {}

  [[nodiscard]] const std::vector<double>& theta() const override { return theta_; }
  void for_each(const std::function<void(std::span<const std::uint32_t>, std::int64_t)>& add) const override {
    for_each_person([&](std::span<const std::uint32_t> rows) {
      for (; !rows.empty(); rows = rows.subspan(2)) add(rows.first(2), 1);
    });
  }
  void for_each_person(const std::function<void(std::span<const std::uint32_t>)>& add) const override {
    Rng rng = rng_;
    std::vector<std::uint32_t> rows;
    for (std::int64_t left = shape_.n; left > 0; left -= shape_.length) {
      rows.clear();
      std::size_t row = 0;  // the first one of theta is that of the first state
      for (std::uint32_t time = 0; time < std::min(left, shape_.length); ++time) {
        const std::uint32_t state =
            draw_level(std::span(theta_).subspan(row * shape_.states, shape_.states), rng);
        rows.insert(rows.end(), {time, state});
        row = 1 + std::size_t{state};
      }
      add(rows);
    }
  }

 private:
  Shape shape_;
  std::vector<double> theta_;
  Rng rng_;
};

}  // namespace

std::int64_t made_up_records(const Study& study) {
  const auto& chain = study.model.get<MarkovChain>();
  return std::min<std::int64_t>(records_per_unit(study.privacy.unit) + 1,
                                study.schema.at(chain.time).levels());
}

void leave_out(std::span<double> row, std::size_t stay) {
  row[stay] = 0;
  double sum = 0;
  for (const double p : row) sum += p;
  for (double& p : row) p = sum > 0 ? p / sum : 1 / static_cast<double>(row.size() - 1);
  row[stay] = 0;
}

std::unique_ptr<const SimulatedPeople> simulate_chain(const Study& study, std::int64_t n,
                                                      const Assumed& assumed, Rng& rng) {
  const auto& chain = study.model.get<MarkovChain>();
  std::vector<double> theta = assumed ? *assumed : draw_parameters(chain, rng);
  const Rng own(rng(), 0, Purpose::simulation);
  return std::make_unique<SimulatedChain>(SimulatedChain::Shape{chain.states, made_up_records(study), n},
                                          std::move(theta), own);
}

}  // namespace postern::model
