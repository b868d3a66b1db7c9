#include "postern/model/kinds/multivariate_normal.hpp"

#include <algorithm>
#include <cmath>

#include "postern/model/plan.hpp"
#include "postern/model/statistic/sums.hpp"

#include "kinds/checks.hpp"
#include "kinds/learned.hpp"
#include "kinds/multivariate_normal/check.hpp"
#include "kinds/multivariate_normal/planning.hpp"
#include "kinds/multivariate_normal/simulate.hpp"
#include "plan/sharing.hpp"

namespace postern::model {
namespace {

constexpr const char* kFamily = "multivariate-normal";

JsonValue written(const MultivariateNormal& model, JsonValue prior) {
  return json_object({{"kind", json_text("family")},
                      {"family", json_text(kFamily)},
                      {"columns", json_texts(model.columns)},
                      {"prior", std::move(prior)}});
}

/// Several numbers together, with a normal-inverse-Wishart prior, or one whose scales are learned.
class MultivariateNormalKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "multivariate_normal"; }
  [[nodiscard]] std::vector<std::string> families() const override { return {kFamily}; }
  [[nodiscard]] std::string family(const Model& /*model*/) const override { return kFamily; }
  [[nodiscard]] std::vector<std::string> columns(const Model& model) const override {
    return model.get<MultivariateNormal>().columns;
  }
  void check(const Model& model, const Schema& schema) const override {
    check_vector(model.get<MultivariateNormal>(), schema);
  }

  /// Noise in proportion to what a record can add; sums and products of two columns have half the variance of
  /// that in zCDP, which puts the worst pair of records among the corners (statistic/products/cost.md).
  [[nodiscard]] std::vector<Block> design(const Study& study, const Request& request,
                                          const Rational& budget) const override {
    const std::vector<std::string>& names = study.model.get<MultivariateNormal>().columns;
    const Rational twice = study.privacy.currency == Currency::pure ? 1 : 2;
    std::vector<Rational> weights;
    std::vector<WantedBlock> wanted;
    for (const std::string& column : names) {
      weights.emplace_back(1, static_cast<long>(level_ends(study.schema.at(column)).reach()));
      wanted.push_back({column, LevelSum{column, {}}, twice * unit_of(weights.back(), study)});
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      wanted.push_back({names[i] + "^2", LevelSum{names[i], {}, 2}, unit_of(weights[i] * weights[i], study)});
      for (std::size_t j = i + 1; j < names.size(); ++j) {
        wanted.push_back({names[i] + "*" + names[j], ProductSum{names[i], names[j]},
                          twice * unit_of(weights[i] * weights[j], study)});
      }
    }
    return share_out_with_count(wanted, study, request, budget);
  }

  [[nodiscard]] Model read(Node& node, const Schema& schema) const override {
    node.allow({"kind", "family", "columns", "prior"});
    MultivariateNormal model;
    model.columns = node.texts("columns");
    if (!states_numbers(node)) {
      if (!says_learned(node) && !node.learns_priors()) {
        node.refuse(
            ErrorCode::missing_key, "",
            {"family \"multivariate-normal\" needs a prior; write prior = \"learned\", or prior = { "
             "normal-inverse-wishart = { mean = [..], weight = 1, degrees = .., scale = [[..], [..]] } }"});
      }
      plan_normal(model, schema);
      return model;
    }
    const std::unique_ptr<Node> named = node.inner("prior");
    named->allow({"normal-inverse-wishart"});
    const std::unique_ptr<Node> prior = named->inner("normal-inverse-wishart");
    prior->allow({"mean", "weight", "degrees", "scale"});
    model.mean = prior->rationals("mean", node.states_all() ? 0 : model.columns.size());
    model.weight = prior->rational("weight");
    model.degrees = prior->rational("degrees");
    model.scale = prior->rational_rows("scale", model.columns.size(), model.columns.size());
    prior->finish();
    named->finish();
    return model;
  }
  /// The scale row by row, as studies write it.
  [[nodiscard]] JsonValue write(const Model& of) const override {
    const auto& model = of.get<MultivariateNormal>();
    const std::size_t d = model.columns.size();
    if (model.learned) return written(model, json_text(kLearned));
    JsonArray rows;
    for (std::size_t at = 0; at + d <= model.scale.size(); at += d) {
      const auto row = model.scale.begin() + static_cast<std::ptrdiff_t>(at);
      rows.push_back(json_rationals({row, row + static_cast<std::ptrdiff_t>(d)}));
    }
    return written(
        model,
        json_object({{"normal-inverse-wishart", json_object({{"degrees", json_rational(model.degrees)},
                                                             {"mean", json_rationals(model.mean)},
                                                             {"scale", json_array(std::move(rows))},
                                                             {"weight", json_rational(model.weight)}})}}));
  }
  [[nodiscard]] std::string text(const Model& of, const Schema& /*schema*/) const override {
    const auto& model = of.get<MultivariateNormal>();
    const std::size_t d = model.columns.size();
    if (model.learned)
      return std::string(kFamily) + ": " + joined(model.columns, ", ") + ", prior " + kLearned;
    std::string scale;
    for (std::size_t i = 0; i < d; ++i) {
      const auto row = model.scale.begin() + static_cast<std::ptrdiff_t>(i * d);
      scale +=
          (i == 0 ? "" : "; ") + joined(std::vector<Rational>(row, row + static_cast<std::ptrdiff_t>(d)));
    }
    return std::string(kFamily) + ": " + joined(model.columns, ", ") +
           ", prior normal-inverse-wishart(mean " + joined(model.mean) + ", weight " +
           to_decimal(model.weight) + ", degrees " + to_decimal(model.degrees) + ", scale [" + scale + "])";
  }

  [[nodiscard]] PriorWords prior_words(const Model& model) const override {
    const std::size_t d = model.get<MultivariateNormal>().columns.size();
    const std::string size = std::to_string(d);
    return {"normal-inverse-wishart", d + 2 + d * d,
            size + " means, weight, degrees, and the " + size + " x " + size + " scale row by row"};
  }
  [[nodiscard]] Model with_prior(const Model& model, const std::vector<Rational>& numbers) const override {
    return model::with_prior(model.get<MultivariateNormal>(), numbers);
  }
  [[nodiscard]] Model without_prior(const Model& model) const override {
    return MultivariateNormal{model.get<MultivariateNormal>().columns, {}, 1, 1, {}};
  }
  [[nodiscard]] bool takes_learned_prior(const Model& /*model*/) const override { return true; }
  [[nodiscard]] bool learned_prior(const Model& model) const override {
    return model.get<MultivariateNormal>().learned;
  }
  /// Planned for with the numbers that it has.
  [[nodiscard]] Model with_learned_prior(const Model& of) const override {
    MultivariateNormal model = of.get<MultivariateNormal>();
    model.learned = true;
    return model;
  }
  [[nodiscard]] double prior_records(const Model& of) const override {
    const auto& model = of.get<MultivariateNormal>();
    if (model.learned) return 0;
    return std::max<Rational>(model.weight, model.degrees).get_d();
  }
  /// Degrees stay above d - 1, and the scale goes with them.
  [[nodiscard]] std::vector<Rational> scaled_prior(const Model& of, const Rational& factor) const override {
    const auto& model = of.get<MultivariateNormal>();
    const Rational least = static_cast<long>(model.columns.size()) - 1;
    const Rational degrees = least + (model.degrees - least) * factor;
    std::vector<Rational> out = model.mean;
    out.emplace_back(model.weight * factor);
    out.push_back(degrees);
    for (const Rational& entry : model.scale) out.emplace_back(entry * degrees / model.degrees);
    return out;
  }
  [[nodiscard]] std::vector<std::string> notes(const Model& of) const override {
    constexpr double kMuch = 0.01;
    const auto& model = of.get<MultivariateNormal>();
    if (model.learned) return {};
    const double share = singular_share(model.degrees.get_d(), model.columns.size());
    if (!(share > kMuch)) return {};
    const std::size_t least = model.columns.size() - 1;
    return {"the prior's degrees, " + to_decimal(model.degrees) + ", are hardly above " +
            std::to_string(least) + ": it gives " + std::to_string(std::lround(100 * share)) +
            " % to covariance matrices that are singular to sixteen digits, which chains cannot follow. "
            "Where the "
            "records rule these out the posterior is right; where nearly all of them are clamped, and in "
            "`calibrate`, which draws from the prior, it is not. Take degrees of " +
            std::to_string(least) + ".3 or more"};
  }

  [[nodiscard]] std::vector<Parameter> parameters(const Study& study) const override {
    return vector_parameters(study.model.get<MultivariateNormal>());
  }
  [[nodiscard]] std::unique_ptr<const SimulatedRecords> simulate(const Study& study, std::int64_t n,
                                                                 const Assumed& assumed,
                                                                 Rng& rng) const override {
    const auto& model = study.model.get<MultivariateNormal>();
    const VectorTheta theta = assumed ? vector_theta(*assumed, model.columns.size())
                                      : draw_normal_inverse_wishart(wishart_prior(model), rng);
    VectorGatherer records(model.columns, study.schema);
    records.draw(theta, n, rng);
    return std::move(records).with_truth(parameter_values(theta));
  }
};

}  // namespace

const Kind& kind_of(const MultivariateNormal& /*model*/) {
  static const MultivariateNormalKind kind;
  return kind;
}

void SimulatedVectors::for_each(
    const std::function<void(std::span<const std::uint32_t>, std::int64_t)>& add) const {
  const std::size_t d = sums_.sums.size();
  for (std::size_t at = 0; at + d <= levels_.size(); at += d) add({levels_.data() + at, d}, 1);
}

}  // namespace postern::model
