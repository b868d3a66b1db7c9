#include "postern/model/kinds/quantiles.hpp"

#include "postern/model/plan.hpp"
#include "postern/model/statistic/rank_scores.hpp"
#include "postern/model/study_error.hpp"

#include "kinds/checks.hpp"
#include "plan/sharing.hpp"

namespace postern::model {
namespace {

class QuantilesKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "quantiles"; }
  [[nodiscard]] std::string_view study_kind() const override { return "quantiles"; }
  [[nodiscard]] std::vector<std::string> families() const override { return {}; }
  [[nodiscard]] std::string family(const Model& /*model*/) const override { return "quantiles"; }
  [[nodiscard]] std::vector<std::string> columns(const Model& model) const override {
    return {model.get<Quantiles>().column};
  }
  void check(const Model& of, const Schema& schema) const override {
    const auto& model = of.get<Quantiles>();
    const Column& column = named_column(model.column, schema);
    if (std::holds_alternative<Categories>(column.values)) {
      throw StudyError(
          {{"model", "column"}}, ErrorCode::bad_value,
          {"quantiles need a column of numbers, and '", from_study(model.column), "' has categories"});
    }
    if (model.at.empty() || model.at.size() > 8)
      throw StudyError({{"model", "at"}}, ErrorCode::bad_value,
                       {"`at` names one to eight quantiles, such as [\"0.05\", \"0.95\"]"});
    Rational last = 0;
    for (std::size_t i = 0; i < model.at.size(); ++i) {
      const Rational& at = model.at[i];
      if (at <= last || at >= 1 || at.get_den() > 1'000'000) {
        throw StudyError({{"model", "at"}, i}, ErrorCode::bad_value,
                         {"`at` holds ", from_study(to_decimal(at)),
                          "; quantiles rise between 0 and 1 and have at most 6 decimals"});
      }
      last = at;
    }
  }
  [[nodiscard]] std::vector<Mechanism> mechanisms(const Study& /*study*/) const override {
    return {Mechanism::exponential};
  }
  [[nodiscard]] std::vector<Block> design(const Study& study, const Request& request,
                                          const Rational& budget) const override {
    const auto& model = study.model.get<Quantiles>();
    std::vector<WantedBlock> wanted;
    for (const Rational& at : model.at) wanted.push_back({to_decimal(at), RankScores{model.column, at}});
    return share_choices(wanted, study, request, budget);
  }
  [[nodiscard]] Model read(Node& node, const Schema& /*schema*/) const override {
    node.allow({"kind", "column", "at"});
    Quantiles out;
    out.column = node.text("column");
    out.at = node.rationals("at");
    return out;
  }
  [[nodiscard]] JsonValue write(const Model& of) const override {
    const auto& model = of.get<Quantiles>();
    return json_object({{"kind", json_text("quantiles")},
                        {"column", json_text(model.column)},
                        {"at", json_rationals(model.at)}});
  }
  [[nodiscard]] std::string text(const Model& of, const Schema& /*schema*/) const override {
    const auto& model = of.get<Quantiles>();
    return "quantiles of " + model.column + " at " + joined(model.at);
  }
  [[nodiscard]] PriorWords prior_words(const Model& /*model*/) const override {
    throw Error(ErrorCode::bad_prior, {"a study of quantiles has no prior"});
  }
  [[nodiscard]] Model with_prior(const Model& model,
                                 const std::vector<Rational>& /*numbers*/) const override {
    return model;
  }
  [[nodiscard]] Model without_prior(const Model& model) const override { return model; }
  [[nodiscard]] double prior_records(const Model& /*model*/) const override { return 0; }
  [[nodiscard]] std::vector<Rational> scaled_prior(const Model& model,
                                                   const Rational& /*factor*/) const override {
    static_cast<void>(prior_words(model));  // throws
    return {};
  }
  [[nodiscard]] bool has_posterior() const override { return false; }
  [[nodiscard]] std::vector<Parameter> parameters(const Study& /*study*/) const override {
    throw Error(ErrorCode::unsupported, {"a study of quantiles has no posterior to calibrate"});
  }
  [[nodiscard]] std::unique_ptr<const SimulatedRecords> simulate(const Study& /*study*/, std::int64_t /*n*/,
                                                                 const Assumed& /*assumed*/,
                                                                 Rng& /*rng*/) const override {
    throw Error(ErrorCode::unsupported, {"a study of quantiles has no parameters to simulate"});
  }
};

}  // namespace

const Kind& kind_of(const Quantiles& /*model*/) {
  static const QuantilesKind kind;
  return kind;
}

}  // namespace postern::model
