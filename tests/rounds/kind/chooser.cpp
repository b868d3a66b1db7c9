#include "chooser.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/rounds.hpp"
#include "postern/model/statistic/table.hpp"

#include "plan/sharing.hpp"

namespace postern::model {
namespace {

std::vector<Block> noisy_table(const std::string& column, const Study& study, const Rational& amount) {
  return share_out({{column, Table{{column}}}}, study, {}, amount);
}

class ChooserRule : public RoundRule {
 public:
  explicit ChooserRule(std::string name) : name_(std::move(name)) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::size_t at_most(const Study& /*study*/, const Request& /*request*/) const override {
    return 3;
  }
  [[nodiscard]] bool takes_table() const override { return true; }
  [[nodiscard]] std::vector<Block> next(const Study& study, const Request& /*request*/,
                                        const Rational& budget,
                                        std::span<const PublishedRound> before) const override {
    const auto& columns = study.model.get<Chooser>().columns;
    if (before.size() == 1) {
      DistanceScores scores{{columns.begin() + 1, columns.end()}, {}};
      for (const Int128 count : before[0].table) {
        if (count < 0 || count > 1'000'000'000'000)
          throw Error(ErrorCode::bad_value, {"a table of expected counts holds one that is none"});
        scores.expected.push_back(static_cast<std::int64_t>(count));
      }
      return share_choices({{"choice", scores}}, study, {}, budget / 4);
    }
    const auto chosen = static_cast<std::size_t>(before[1].blocks[0].values[0]);
    Rational amount = budget / 2;
    if (name_ == "chooser-thrifty" && chosen == 0) return {};
    if (name_ == "chooser-thrifty") amount = budget / (3 + static_cast<long>(chosen));
    if (name_ == "chooser-greedy") amount = budget;
    return noisy_table(columns.at(1 + chosen), study, amount);
  }
  [[nodiscard]] std::optional<std::vector<BlockNoise>> foreseen(const Study& study,
                                                                const Request& /*request*/,
                                                                const Rational& budget,
                                                                std::size_t round) const override {
    if (name_ != "chooser-steady" || round != 2) return std::nullopt;
    const Block block = noisy_table(study.model.get<Chooser>().columns.at(1), study, budget / 2).front();
    return {{{block.noise, block.size}}};
  }

 private:
  std::string name_;
};

/// Every record at levels of its own, each as likely as the others.
class EvenRecords : public SimulatedRecords {
 public:
  EvenRecords(const Study& study, std::int64_t n, Rng& rng) {
    for (std::int64_t i = 0; i < n; ++i) {
      std::vector<std::uint32_t>& levels = rows_.emplace_back();
      for (const std::string& name : study.model.get<Chooser>().columns)
        levels.push_back(static_cast<std::uint32_t>(draw_below(study.schema.at(name).levels(), rng)));
    }
  }
  [[nodiscard]] const std::vector<double>& theta() const override { return theta_; }
  void for_each(const std::function<void(std::span<const std::uint32_t>, std::int64_t)>& add) const override {
    for (const auto& row : rows_) add(row, 1);
  }

 private:
  std::vector<std::vector<std::uint32_t>> rows_;
  std::vector<double> theta_;
};

class ChooserKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "chooser"; }
  [[nodiscard]] std::string_view study_kind() const override { return "chooser"; }
  [[nodiscard]] std::vector<std::string> families() const override { return {}; }
  [[nodiscard]] std::string family(const Model& /*model*/) const override { return "chooser"; }
  [[nodiscard]] std::vector<std::string> columns(const Model& model) const override {
    return model.get<Chooser>().columns;
  }
  void check(const Model& of, const Schema& schema) const override {
    const auto& model = of.get<Chooser>();
    for (const std::string& name : model.columns) {
      if (schema.at(name).levels() != schema.at(model.columns.front()).levels())
        throw Error(ErrorCode::bad_value, {"the columns of a chooser have as many levels as each other"});
    }
    if (model.columns.size() < 3 || model.columns.size() > 6)
      throw Error(ErrorCode::bad_value, {"a chooser has a column and two to five candidates"});
  }
  [[nodiscard]] std::vector<Block> design(const Study& study, const Request& /*request*/,
                                          const Rational& budget) const override {
    return noisy_table(study.model.get<Chooser>().columns.front(), study, budget / 4);
  }
  [[nodiscard]] const RoundRule* round_rule(const Study& study, const Request& /*request*/) const override {
    static const ChooserRule steady("chooser-steady");
    static const ChooserRule thrifty("chooser-thrifty");
    static const ChooserRule greedy("chooser-greedy");
    const std::string& rule = study.model.get<Chooser>().rule;
    return rule == "thrifty" ? &thrifty : rule == "greedy" ? &greedy : &steady;
  }
  [[nodiscard]] Model read(Node& node, const Schema& /*schema*/) const override {
    node.allow({"kind", "columns", "rule"});
    return Chooser{node.texts("columns"), node.text("rule")};
  }
  [[nodiscard]] JsonValue write(const Model& of) const override {
    const auto& model = of.get<Chooser>();
    return json_object({{"columns", json_texts(model.columns)},
                        {"kind", json_text("chooser")},
                        {"rule", json_text(model.rule)}});
  }
  [[nodiscard]] std::string text(const Model& /*of*/, const Schema& /*schema*/) const override {
    return "a chooser";
  }
  [[nodiscard]] PriorWords prior_words(const Model& /*model*/) const override {
    throw Error(ErrorCode::bad_prior, {"a chooser has no prior"});
  }
  [[nodiscard]] Model with_prior(const Model& model, const std::vector<Rational>& /*n*/) const override {
    return model;
  }
  [[nodiscard]] Model without_prior(const Model& model) const override { return model; }
  [[nodiscard]] double prior_records(const Model& /*model*/) const override { return 0; }
  [[nodiscard]] std::vector<Rational> scaled_prior(const Model& /*model*/,
                                                   const Rational& /*factor*/) const override {
    return {};
  }
  [[nodiscard]] bool has_posterior() const override { return false; }
  [[nodiscard]] std::vector<Parameter> parameters(const Study& /*study*/) const override { return {}; }
  [[nodiscard]] std::unique_ptr<const SimulatedRecords> simulate(const Study& study, std::int64_t n,
                                                                 const Assumed& /*assumed*/,
                                                                 Rng& rng) const override {
    return std::make_unique<EvenRecords>(study, n, rng);
  }
};

}  // namespace

const Kind& kind_of(const Chooser& /*chooser*/) {
  static const ChooserKind kind;
  return kind;
}

Study chooser_study(const ChooserStudy& shape) {
  Study study;
  study.name = "chooser";
  study.dataset = "made-up";
  study.privacy.adjacency = shape.adjacency;
  study.privacy.currency = shape.currency;
  if (shape.adjacency == Adjacency::add_remove) study.privacy.n_at_most = 1000;
  if (shape.per_person > 0) study.privacy.unit = PersonUnit{"person", shape.per_person};
  std::vector<Column> columns;
  Chooser model{{}, shape.rule};
  for (std::size_t c = 0; c <= shape.candidates; ++c) {
    Column column;
    column.name = std::string(1, static_cast<char>('a' + c));
    column.values = Categories{{"no", "yes"}};
    column.outside = MapTo{0};
    model.columns.push_back(column.name);
    columns.push_back(std::move(column));
  }
  study.schema = Schema(std::move(columns));
  study.model = model;
  return study;
}

std::vector<Int128> found_counts(const release::Release& so_far) {
  std::vector<Int128> out;
  for (const Int128 value : so_far.blocks.at(0).values)
    out.push_back(std::llround(std::max(0.0, static_cast<double>(value))));
  return out;
}

}  // namespace postern::model
