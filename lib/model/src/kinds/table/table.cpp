#include "postern/model/kinds/table.hpp"

#include <algorithm>

#include "postern/core/draw.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/table.hpp"

#include "kinds/checks.hpp"
#include "kinds/learned.hpp"
#include "kinds/table/check.hpp"
#include "plan/sharing.hpp"

namespace postern::model {
namespace {

bool all_equal(const std::vector<Rational>& values) {
  return !values.empty() && std::all_of(values.begin(), values.end(),
                                        [&](const Rational& value) { return value == values.front(); });
}

/// "smoker = yes, age = 18-29"
std::string cell_text(const Schema& schema, const std::vector<std::string>& columns, std::size_t cell) {
  const auto levels = schema.domain(columns).levels_of(cell);
  std::string text;
  for (std::size_t i = 0; i < columns.size(); ++i)
    text += (i == 0 ? "" : ", ") + columns[i] + " = " + schema.at(columns[i]).label(levels[i]);
  return text;
}

/// Cell probabilities, assumed or drawn from the prior; for bernoulli in the order of the column's levels.
std::vector<double> draw_cells(const Bernoulli& model, const Assumed& assumed, Rng& rng) {
  const double success = assumed ? assumed->front() : draw_beta(model.a.get_d(), model.b.get_d(), rng);
  std::vector<double> cells(2, 1 - success);
  cells[model.success] = success;
  return cells;
}
std::vector<double> draw_cells(const Categorical& model, const Assumed& assumed, Rng& rng) {
  if (assumed) return *assumed;
  std::vector<double> alpha;
  for (const Rational& a : model.alpha) alpha.push_back(a.get_d());
  std::vector<double> cells(alpha.size());
  draw_dirichlet(alpha, cells, rng);
  return cells;
}

std::vector<Rational> prior_of(const Model& model) {
  if (const auto* one = model.as<Bernoulli>()) return {one->a, one->b};
  return model.get<Categorical>().alpha;
}

/// Bernoulli and categorical: one table of counts with a Dirichlet prior.
class TableKindOfModel : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "table"; }
  [[nodiscard]] std::vector<std::string> families() const override { return {"bernoulli", "categorical"}; }
  [[nodiscard]] std::string family(const Model& model) const override {
    return model.as<Bernoulli>() != nullptr ? "bernoulli" : "categorical";
  }
  [[nodiscard]] std::vector<std::string> columns(const Model& model) const override {
    if (const auto* one = model.as<Bernoulli>()) return {one->column};
    return model.get<Categorical>().columns;
  }
  void check(const Model& model, const Schema& schema) const override {
    if (const auto* one = model.as<Bernoulli>()) return check_bernoulli(*one, schema);
    check_categorical(model.get<Categorical>(), schema);
  }

  /// With n public a binary column needs one count: n less it is the other (docs/decisions/one-count.md).
  [[nodiscard]] std::vector<Block> design(const Study& study, const Request& request,
                                          const Rational& budget) const override {
    const auto* one = study.model.as<Bernoulli>();
    const std::vector<std::string> names = columns(study.model);
    if (one != nullptr && study.privacy.adjacency == Adjacency::replace_one)
      return share_out({{joined(names, ","), LevelCount{one->column, one->success}}}, study, request, budget);
    return share_out({{joined(names, ","), Table{names}}}, study, request, budget);
  }

  [[nodiscard]] Model read(Node& node, const Schema& schema) const override {
    if (node.text("family") == "bernoulli") return read_bernoulli(node, schema);
    return read_categorical(node, schema);
  }
  [[nodiscard]] JsonValue write(const Model& model) const override {
    if (const auto* one = model.as<Bernoulli>()) {
      return json_object(
          {{"kind", json_text("family")},
           {"family", json_text("bernoulli")},
           {"column", json_text(one->column)},
           {"success", json_integer(one->success)},
           {"prior",
            one->learned ? json_text(kLearned) : json_object({{"beta", json_rationals({one->a, one->b})}})}});
    }
    const auto& table = model.get<Categorical>();
    const JsonValue alpha =
        all_equal(table.alpha) ? json_rational(table.alpha.front()) : json_rationals(table.alpha);
    return json_object(
        {{"kind", json_text("family")},
         {"family", json_text("categorical")},
         {"columns", json_texts(table.columns)},
         {"prior", table.learned ? json_text(kLearned) : json_object({{"dirichlet", alpha}})}});
  }
  [[nodiscard]] std::string text(const Model& model, const Schema& schema) const override {
    if (const auto* one = model.as<Bernoulli>()) {
      return "bernoulli: P(" + one->column + " = " + schema.at(one->column).label(one->success) +
             "), prior " +
             (one->learned ? kLearned : "beta(" + to_decimal(one->a) + ", " + to_decimal(one->b) + ")");
    }
    const auto& table = model.get<Categorical>();
    const std::string prior = table.learned            ? kLearned
                              : all_equal(table.alpha) ? "dirichlet(" + to_decimal(table.alpha.front()) + ")"
                                                       : "dirichlet, as declared";
    return "categorical: " + joined(table.columns, " x ") + ", " + with_commas(table.alpha.size()) +
           " cells, prior " + prior;
  }

  [[nodiscard]] PriorWords prior_words(const Model& model) const override {
    if (model.as<Bernoulli>() != nullptr) return {"beta", 2, "a, b"};
    return {"dirichlet", model.get<Categorical>().alpha.size(), "one a cell, or one for all", true};
  }
  [[nodiscard]] Model with_prior(const Model& model, const std::vector<Rational>& numbers) const override {
    if (const auto* one = model.as<Bernoulli>())
      return Bernoulli{one->column, one->success, numbers.at(0), numbers.at(1)};
    const auto& table = model.get<Categorical>();
    if (numbers.size() == 1)
      return Categorical{table.columns, std::vector<Rational>(table.alpha.size(), numbers[0])};
    return Categorical{table.columns, numbers};
  }
  [[nodiscard]] bool takes_learned_prior(const Model& /*model*/) const override { return true; }
  [[nodiscard]] bool learned_prior(const Model& model) const override {
    const auto* one = model.as<Bernoulli>();
    return one != nullptr ? one->learned : model.get<Categorical>().learned;
  }
  /// Planned for with one record a cell, evenly.
  [[nodiscard]] Model with_learned_prior(const Model& model) const override {
    if (const auto* one = model.as<Bernoulli>()) return Bernoulli{one->column, one->success, 1, 1, true};
    const auto& table = model.get<Categorical>();
    return Categorical{table.columns, std::vector<Rational>(table.alpha.size(), 1), true};
  }
  [[nodiscard]] Model without_prior(const Model& model) const override {
    if (const auto* one = model.as<Bernoulli>()) return Bernoulli{one->column, one->success, 1, 1};
    return Categorical{model.get<Categorical>().columns, {}};
  }

  [[nodiscard]] double prior_records(const Model& model) const override {
    if (learned_prior(model)) return 0;
    double sum = 0;
    for (const Rational& alpha : prior_of(model)) sum += alpha.get_d();
    return sum;
  }
  [[nodiscard]] std::vector<Rational> scaled_prior(const Model& model,
                                                   const Rational& factor) const override {
    return times(prior_of(model), factor);
  }

  [[nodiscard]] std::vector<Parameter> parameters(const Study& study) const override {
    if (const auto* one = study.model.as<Bernoulli>())
      return {{"theta", "P(" + cell_text(study.schema, {one->column}, one->success) + ")"}};
    const auto& table = study.model.get<Categorical>();
    std::vector<Parameter> out;
    for (std::size_t cell = 0; cell < table.alpha.size(); ++cell)
      out.push_back(
          {"p." + std::to_string(cell + 1), "P(" + cell_text(study.schema, table.columns, cell) + ")"});
    return out;
  }
  [[nodiscard]] std::unique_ptr<const SimulatedRecords> simulate(const Study& study, std::int64_t n,
                                                                 const Assumed& assumed,
                                                                 Rng& rng) const override {
    const auto* one = study.model.as<Bernoulli>();
    std::vector<double> cells = one != nullptr ? draw_cells(*one, assumed, rng)
                                               : draw_cells(study.model.get<Categorical>(), assumed, rng);
    std::vector<std::int64_t> counts(cells.size());
    draw_multinomial(n, cells, counts, rng);
    if (one != nullptr) cells = {cells[one->success]};
    const std::vector<std::string> names = columns(study.model);
    return std::make_unique<SimulatedTable>(std::move(cells), std::move(counts),
                                            study.schema.domain(names).sizes());
  }
};

const TableKindOfModel& the_kind() {
  static const TableKindOfModel kind;
  return kind;
}

}  // namespace

const Kind& kind_of(const Bernoulli& /*model*/) { return the_kind(); }
const Kind& kind_of(const Categorical& /*model*/) { return the_kind(); }

void SimulatedTable::for_each(
    const std::function<void(std::span<const std::uint32_t>, std::int64_t)>& add) const {
  std::vector<std::uint32_t> levels(sizes_.size(), 0);
  for (const std::int64_t count : counts_) {
    if (count != 0) add(levels, count);
    for (std::size_t c = sizes_.size(); c-- > 0;) {  // the next cell, last column fastest
      if (++levels[c] < sizes_[c]) break;
      levels[c] = 0;
    }
  }
}

}  // namespace postern::model
