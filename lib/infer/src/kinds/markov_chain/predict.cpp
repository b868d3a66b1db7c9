#include "predict.hpp"

#include <algorithm>
#include <map>

#include "postern/core/error.hpp"
#include "postern/model/kinds/markov_chain.hpp"

namespace postern::infer {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 29;  ///< of draws of the matrix

/// Fields of an arranged row: how many steps ago the state before was, the state itself, the state before.
/// Without one before, -1 steps ago.
enum Field : std::size_t { kAgo, kState, kBefore, kFields };

/// A person's states by time; -1 where records of one time disagree.
using States = std::map<std::int32_t, std::int32_t>;

std::map<std::int32_t, States> states_of_people(const Rows& rows) {
  std::map<std::int32_t, States> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int32_t time = rows.row(i)[0];
    const std::int32_t state = rows.row(i)[1];
    if (rows.people[i] < 0 || time < 0 || state < 0) continue;
    const auto [place, fresh] = out[rows.people[i]].emplace(time, state);
    if (!fresh && place->second != state) place->second = -1;
  }
  return out;
}

/// The last state that is known before a time.
std::optional<std::pair<std::int32_t, std::int32_t>> before(const States& states, std::int32_t time) {
  for (auto at = states.lower_bound(time); at != states.begin();) {
    --at;
    if (at->second >= 0) return *at;
  }
  return std::nullopt;
}

class NextState : public Predictor {
 public:
  explicit NextState(const Basis& basis)
      : posterior_(basis.posterior),
        states_(basis.study().model.get<model::MarkovChain>().states),
        idle_(basis.study().model.get<model::MarkovChain>().idle),
        time_(basis.study().model.get<model::MarkovChain>().time),
        person_(std::get<model::PersonUnit>(basis.study().privacy.unit).column),
        draws_(probability_draws(
            basis, std::clamp<std::size_t>(kMostBytes / (8 * basis.parameters), 1, basis.options.draws))) {}

  [[nodiscard]] std::size_t draws() const override { return draws_.draws; }
  [[nodiscard]] std::string how() const override {
    return "given the state before: the matrix's posterior mean; after a gap, the mean over draws";
  }
  [[nodiscard]] Rows arranged(const Rows& rows) const override {
    refuse_without(rows);
    const std::map<std::int32_t, States> people = states_of_people(rows);
    Rows out{kFields, {}, rows.warnings, {}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::int32_t time = rows.row(i)[0];
      std::int32_t fields[kFields] = {-1, rows.row(i)[1], -1};
      const auto person = people.find(rows.people[i]);
      if (person != people.end() && time >= 0) {
        if (const auto last = before(person->second, time)) {
          fields[kAgo] = time - last->first;
          fields[kBefore] = last->second;
        }
      }
      const bool stays =
          idle_ && fields[kBefore] == static_cast<std::int32_t>(*idle_) && fields[kState] == fields[kBefore];
      if (stays || time < 0 || rows.people[i] < 0) fields[kState] = -1;
      out.levels.insert(out.levels.end(), fields, fields + kFields);
    }
    return out;
  }
  [[nodiscard]] std::optional<std::vector<double>> predictive(
      std::span<const std::int32_t> record) const override {
    if (record[kAgo] > 1) return std::nullopt;
    std::vector<double> out;
    for (std::size_t to = 0; to < states_; ++to)
      out.push_back(posterior_.summary.at(states_ * row_of(record) + to).mean);
    return out;
  }
  [[nodiscard]] std::unique_ptr<Worker> worker() const override { return std::make_unique<AtWork>(*this); }

 private:
  /// Rows are nobody's without ids, and at no time without times.
  void refuse_without(const Rows& rows) const {
    bool id = rows.size() == 0;
    bool time = rows.size() == 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      id = id || rows.people.at(i) >= 0;
      time = time || rows.row(i)[0] >= 0;
    }
    if (id && time) return;
    throw Error(
        ErrorCode::bad_option,
        {"no row has a value of column '", from_document(id ? time_ : person_),
         "', and without it nothing is known to be before anything; rows of a chain are sequences: '",
         from_document(person_), "', '", from_document(time_), "' and the state, which may be empty"});
  }
  /// Which row of the parameters: the first one is that of first states.
  static std::size_t row_of(std::span<const std::int32_t> record) {
    return record[kBefore] < 0 ? 0 : 1 + static_cast<std::size_t>(record[kBefore]);
  }

  class AtWork : public Worker {
   public:
    explicit AtWork(const NextState& of) : of_(of) {}
    void conditional(std::span<const std::int32_t> record, std::span<double> out) override {
      const std::size_t first = of_.states_ * row_of(record);
      for (std::size_t to = 0; to < of_.states_; ++to) {
        const std::span<const double> draws = of_.draws_.of(first + to);
        std::copy(draws.begin(), draws.end(), out.begin() + static_cast<std::ptrdiff_t>(to * draws.size()));
      }
      for (std::int32_t step = 1; step < record[kAgo]; ++step) take_step(out);
    }

   private:
    /// All draws at once.
    void take_step(std::span<double> law) {
      const std::size_t draws = of_.draws_.draws;
      now_.assign(law.begin(), law.end());
      std::fill(law.begin(), law.end(), 0.0);
      for (std::size_t from = 0; from < of_.states_; ++from) {
        for (std::size_t to = 0; to < of_.states_; ++to) {
          const std::span<const double> p = of_.draws_.of((1 + from) * of_.states_ + to);
          for (std::size_t d = 0; d < draws; ++d) law[to * draws + d] += now_[from * draws + d] * p[d];
        }
      }
    }
    const NextState& of_;  // NOLINT(*-avoid-const-or-ref-data-members): it outlives its workers
    std::vector<double> now_;
  };

  const Posterior& posterior_;  // NOLINT(*-avoid-const-or-ref-data-members): outlives the basis and this
  std::size_t states_;
  std::optional<std::uint32_t> idle_;
  std::string time_, person_;
  SomeDraws draws_;
};

}  // namespace

std::unique_ptr<const Predictor> predict_next(const Basis& basis) {
  return std::make_unique<NextState>(basis);
}

}  // namespace postern::infer
