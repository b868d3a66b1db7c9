#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "postern/core/draw.hpp"
#include "postern/model/statistic/transitions.hpp"
#include "postern/release/noise_law.hpp"

#include "bounds.hpp"
#include "honest_case.hpp"
#include "joint.hpp"

// Markov chains of people's states, year by year: every transition and every first state. Samples are of
// people, each with all of their records.

namespace postern::honesty {
namespace {

struct SequenceSpec {
  std::string name;
  std::string state;
  std::string epsilon;
  bool in_slice = false;
};

constexpr std::size_t kPerson = 0;
constexpr std::size_t kTime = 1;
constexpr std::size_t kState = 2;
constexpr int kMoves = 7;  ///< of everybody: eight years

class SequenceCase final : public HonestCase {
 public:
  SequenceCase(const SequenceSpec& spec, Records records) {
    name = "chain/" + spec.name;
    budget = spec.epsilon;
    in_slice = spec.in_slice;
    population = std::move(records);
    n = population.rows.size();
    states_ = levels(population, spec.state);
    study = "version = 1\nname = \"honesty\"\ndataset = \"" + spec.name +
            "\"\n\n[privacy]\nunit = { column = \"nr\", at_most = " + std::to_string(kMoves) +
            " }\nadjacency = \"add-remove\"\ncurrency = \"pure\"\nn = { at_most = " + std::to_string(2 * n) +
            " }\n" + column_header("year") +
            "integer = [1980, 1987]\nmissing = \"drop\"\noutside = \"drop\"\n" +
            category_column(spec.state, states_) + "\n[model]\nkind = \"markov-chain\"\nstate = \"" +
            spec.state + "\"\ntime = \"year\"\n";
    count();
  }

  [[nodiscard]] Records sample(Rng& rng) const override;
  [[nodiscard]] std::vector<Fact> facts(const release::Release& release, const infer::Posterior& posterior,
                                        std::size_t records) const override;

 private:
  void count();
  [[nodiscard]] std::size_t state(const std::vector<std::string>& row) const {
    return static_cast<std::size_t>(std::find(states_.begin(), states_.end(), row[kState]) - states_.begin());
  }

  std::vector<std::string> states_;
  std::vector<std::vector<std::size_t>> people_;  ///< rows of each, in order of time
  std::vector<double> starts_;
  std::vector<double> moves_;  ///< by the state that is left, then the next one
};

void SequenceCase::count() {
  std::map<std::string, std::vector<std::size_t>> rows;
  for (std::size_t i = 0; i < population.rows.size(); ++i) rows[population.rows[i][kPerson]].push_back(i);
  starts_.assign(states_.size(), 0);
  moves_.assign(states_.size() * states_.size(), 0);
  for (auto& [person, own] : rows) {
    std::sort(own.begin(), own.end(), [&](std::size_t a, std::size_t b) {
      return population.rows[a][kTime] < population.rows[b][kTime];
    });
    starts_[state(population.rows[own.front()])] += 1;
    for (std::size_t i = 1; i < own.size(); ++i)
      moves_[state(population.rows[own[i - 1]]) * states_.size() + state(population.rows[own[i]])] += 1;
    people_.push_back(own);
  }
}

Records SequenceCase::sample(Rng& rng) const {
  Records out;
  out.names = population.names;
  for (std::size_t person = 0; person < people_.size(); ++person) {
    for (const std::size_t row : people_[draw_below(people_.size(), rng)]) {
      out.rows.push_back(population.rows[row]);
      out.rows.back()[kPerson] = std::to_string(person);
    }
  }
  return out;
}

/// What is known of the shares of one row of noisy counts.
struct SeenRow {
  std::vector<double> truth;  ///< counts
  std::vector<double> noisy;
  double sd = 1;

  [[nodiscard]] Fact fact(std::size_t at, const Ends& ends) const {
    const double all = std::accumulate(truth.begin(), truth.end(), 0.0);
    const double total = std::accumulate(noisy.begin(), noisy.end(), 0.0);
    const auto cells = static_cast<double>(truth.size());
    const double p = truth[at] / all;
    const double noise = (1 - p) * (1 - p) + p * p * (cells - 1);
    const double deviation = std::sqrt(noise * sd * sd / all / all + p * (1 - p) / all);
    Fact out{p, ends.lower, ends.upper, truth[at] / sd, {}, {}, 3.29 * deviation};
    if (total <= 10 * sd * std::sqrt(cells)) return out;
    out.plain_lower = noisy[at] / total - 1.645 * deviation;
    out.plain_upper = noisy[at] / total + 1.645 * deviation;
    return out;
  }
};

/// Rows of a block, in people or transitions.
std::vector<SeenRow> rows_of(const model::MeasuredBlock& block, double parts,
                             const std::vector<double>& truth, std::size_t states) {
  std::vector<SeenRow> out(truth.size() / states);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    SeenRow& row = out[i / states];
    row.sd = std::sqrt(release::variance(release::noise_law(block.block.noise))) / parts;
    row.truth.push_back(truth[i]);
    row.noisy.push_back(static_cast<double>(block.values[i]) / parts);
  }
  return out;
}

std::vector<Fact> SequenceCase::facts(const release::Release& release, const infer::Posterior& posterior,
                                      std::size_t /*records*/) const {
  Asked asked(release, posterior);
  const std::string& column = population.names[kState];
  std::vector<Fact> out;
  for (const model::MeasuredBlock& block : release.blocks) {
    const auto* starts = block.block.statistic.as<model::Starts>();
    const auto* moves = block.block.statistic.as<model::Transitions>();
    const double parts = static_cast<double>(starts != nullptr ? starts->parts : moves->parts);
    const std::vector<SeenRow> rows =
        rows_of(block, parts, starts != nullptr ? starts_ : moves_, states_.size());
    for (std::size_t from = 0; from < rows.size(); ++from) {
      for (std::size_t to = 0; to < states_.size(); ++to) {
        const std::string query = starts != nullptr ? "P(first " + column + " = \"" + states_[to] + "\")"
                                                    : "P(next " + column + " = \"" + states_[to] + "\" | " +
                                                          column + " = \"" + states_[from] + "\")";
        out.push_back(rows[from].fact(to, asked(query)));
      }
    }
  }
  return out;
}

}  // namespace

void add_sequences(Sources& sources, Cases& cases) {
  const std::optional<Records>& found = sources.read("Males.csv");
  if (!found) return;
  const std::vector<SequenceSpec> specs = {{"males-union", "union", "0.2", true},
                                           {"males-occupation", "occupation", "1"},
                                           {"males-industry", "industry", "2"},
                                           {"males-married", "married", "0.2"}};
  for (const SequenceSpec& spec : specs)
    cases.push_back(std::make_unique<SequenceCase>(spec, select(*found, {"nr", "year", spec.state}, false)));
}

}  // namespace postern::honesty
