#include "postern/model/kinds/principal_component.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study_error.hpp"

#include "kinds/checks.hpp"
#include "kinds/learned.hpp"
#include "kinds/multivariate_normal/planning.hpp"
#include "kinds/principal_axis/text.hpp"
#include "kinds/principal_component/assumed.hpp"
#include "kinds/wide_components/text.hpp"

namespace postern::model {
namespace {

constexpr const char* kWord = "principal-component";
constexpr std::size_t kUsualComponents = 2;
constexpr std::size_t kMostLatentColumns = 8;  // whose records engines draw

const Kind& normal_kind() { return kind_of(MultivariateNormal{}); }

const PrincipalComponent& of_model(const Model& model) { return model.get<PrincipalComponent>(); }

Model with_normal(const Model& model, const Model& normal) {
  PrincipalComponent out = of_model(model);
  out.normal = normal.get<MultivariateNormal>();
  return out;
}

/// The same study of the multivariate normal behind it.
Study normal_study(const Study& study) {
  Study out = study;
  out.model = of_model(study.model).normal;
  return out;
}

/// The normal's prior as a half-t one makes it.
void set_half_t(PrincipalComponent& model, const HalfT& prior, const Schema& schema) {
  MultivariateNormal& normal = model.normal;
  const std::size_t d = normal.columns.size();
  model.prior = prior;
  normal.loose = true;
  normal.weight = prior.weight;
  normal.degrees = prior.degrees + static_cast<long>(d) - 1;
  normal.scale.assign(d * d, 0);
  for (std::size_t i = 0; i < d; ++i) {
    const auto [lo, hi] = ends_of(schema, normal.columns[i]);
    normal.mean.emplace_back((lo + hi) / 2);
    normal.scale[i * d + i] = within_reach(mean_scale(prior) * (hi - lo) * (hi - lo) / 4);
  }
}

/// The columns' squared half ranges, which a half-t prior or the planning law is in units of.
std::vector<Rational> half_squares(const PrincipalComponent& model) {
  const std::size_t d = model.normal.columns.size();
  const Rational unit = model.normal.learned ? planned_scale() : mean_scale(*model.prior);
  std::vector<Rational> out;
  for (std::size_t i = 0; i < d; ++i) out.emplace_back(model.normal.scale[i * d + i] / unit);
  return out;
}

bool states_half_t(const PrincipalComponent& model) { return model.prior && !model.normal.learned; }

/// Another half-t prior of the same columns. @pre it has one, or had one before it was learned
PrincipalComponent with_half_t(PrincipalComponent model, const HalfT& prior) {
  const std::vector<Rational> squares = half_squares(model);
  const std::size_t d = squares.size();
  model.normal.weight = prior.weight;
  model.normal.degrees = prior.degrees + static_cast<long>(d) - 1;
  for (std::size_t i = 0; i < d; ++i)
    model.normal.scale[i * d + i] = within_reach(squares[i] * mean_scale(prior));
  model.normal.loose = true;
  model.normal.learned = false;
  model.prior = prior;
  return model;
}

/// Directions in which several numbers vary most.
class PrincipalComponentKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "principal_component"; }
  [[nodiscard]] std::string_view study_kind() const override { return kWord; }
  [[nodiscard]] std::vector<std::string> families() const override { return {}; }
  [[nodiscard]] std::string family(const Model& /*model*/) const override { return kWord; }
  [[nodiscard]] std::vector<std::string> columns(const Model& model) const override {
    return of_model(model).normal.columns;
  }
  void check(const Model& model, const Schema& schema) const override {
    const PrincipalComponent& own = of_model(model);
    if (own.prior) check_half_t(*own.prior);
    normal_kind().check(own.normal, schema);
    if (own.components < 1 || own.components > own.normal.columns.size())
      throw StudyError({{"model", "components"}}, ErrorCode::bad_value,
                       {"`components` must lie between 1 and the number of columns"});
  }
  [[nodiscard]] std::vector<Block> design(const Study& study, const Request& request,
                                          const Rational& budget) const override {
    return normal_kind().design(normal_study(study), request, budget);
  }

  [[nodiscard]] Model read(Node& node, const Schema& schema) const override {
    if (node.has("sigma")) return read_axis(node, schema);
    if (node.texts("columns").size() > kMostLatentColumns) return read_wide(node);
    node.allow({"kind", "columns", "components", "of", "prior"});
    PrincipalComponent out;
    MultivariateNormal& normal = out.normal;
    normal.columns = node.texts("columns");
    const std::size_t d = normal.columns.size();
    out.components = std::min(kUsualComponents, d);
    if (node.states_all() || node.has("components"))
      out.components = static_cast<std::size_t>(node.integer("components", 1, 8));
    if (node.states_all() || node.has("of")) out.correlation = read_of_what(node);
    if (!states_numbers(node)) {
      set_half_t(out, usual_half_t(d), schema);
      return out;
    }
    const std::unique_ptr<Node> named = node.inner("prior");
    named->allow({"half-t", "normal-inverse-wishart"});
    if (named->has("half-t")) {
      set_half_t(out, read_half_t(*named, d), schema);
      named->finish();
      return out;
    }
    const std::unique_ptr<Node> prior = named->inner("normal-inverse-wishart");
    prior->allow({"mean", "weight", "degrees", "scale"});
    normal.mean = prior->rationals("mean", node.states_all() ? 0 : d);
    normal.weight = prior->rational("weight");
    normal.degrees = prior->rational("degrees");
    normal.scale = prior->rational_rows("scale", d, d);
    prior->finish();
    named->finish();
    return out;
  }
  [[nodiscard]] JsonValue write(const Model& model) const override {
    const PrincipalComponent& own = of_model(model);
    JsonObject out{{"kind", json_text(kWord)},
                   {"components", json_integer(static_cast<Int128>(own.components))},
                   {"of", json_text(own.correlation ? "correlation" : "covariance")}};
    const JsonValue normal = normal_kind().write(own.normal);
    for (const JsonMember& member : std::get<JsonObject>(normal.data)) {
      if (member.key == "columns" || (member.key == "prior" && !states_half_t(own))) out.push_back(member);
    }
    if (states_half_t(own)) out.push_back({"prior", write_half_t(*own.prior)});
    return json_object(std::move(out));
  }
  [[nodiscard]] std::string text(const Model& model, const Schema& /*schema*/) const override {
    const PrincipalComponent& own = of_model(model);
    return std::string(kWord) + ": " + std::to_string(own.components) + " of " +
           joined(own.normal.columns, ", ") + ", by " + (own.correlation ? "correlation" : "covariance");
  }

  [[nodiscard]] PriorWords prior_words(const Model& model) const override {
    if (of_model(model).prior) return half_t_words();
    return normal_kind().prior_words(of_model(model).normal);
  }
  [[nodiscard]] Model with_prior(const Model& model, const std::vector<Rational>& numbers) const override {
    if (of_model(model).prior) return with_half_t(of_model(model), half_t(numbers));
    return with_normal(model, normal_kind().with_prior(of_model(model).normal, numbers));
  }
  [[nodiscard]] Model without_prior(const Model& model) const override {
    PrincipalComponent bare = of_model(model);
    bare.prior.reset();
    return with_normal(bare, normal_kind().without_prior(bare.normal));
  }
  [[nodiscard]] bool takes_learned_prior(const Model& /*model*/) const override { return true; }
  [[nodiscard]] bool learned_prior(const Model& model) const override {
    return of_model(model).normal.learned;
  }
  [[nodiscard]] Model with_learned_prior(const Model& model) const override {
    PrincipalComponent out = of_model(model);
    if (out.prior && !out.normal.learned) plan_normal(out.normal, half_squares(out));
    out.normal.learned = true;
    return out;
  }
  [[nodiscard]] double prior_records(const Model& model) const override {
    return normal_kind().prior_records(of_model(model).normal);
  }
  [[nodiscard]] std::vector<Rational> scaled_prior(const Model& model,
                                                   const Rational& factor) const override {
    if (of_model(model).prior) return scaled_half_t(*of_model(model).prior, factor);
    return normal_kind().scaled_prior(of_model(model).normal, factor);
  }
  [[nodiscard]] std::vector<std::string> notes(const Model& model) const override {
    return normal_kind().notes(of_model(model).normal);
  }

  [[nodiscard]] std::vector<Parameter> parameters(const Study& study) const override {
    return component_parameters(of_model(study.model).normal.columns.size());
  }
  [[nodiscard]] std::unique_ptr<const SimulatedRecords> simulate(const Study& study, std::int64_t n,
                                                                 const Assumed& assumed,
                                                                 Rng& rng) const override {
    refuse_assumed_components(assumed);
    const PrincipalComponent& own = of_model(study.model);
    auto vectors = normal_kind().simulate(normal_study(study), n, assumed, rng);
    const VectorTheta theta = vector_theta(vectors->theta(), own.normal.columns.size());
    std::vector<double> values = component_values(principal_axes(own, theta.covariance));
    return std::make_unique<SimulatedComponents>(std::move(vectors), std::move(values));
  }
};

}  // namespace

bool read_of_what(Node& node) {
  const std::string word = node.text("of");
  if (word != "covariance" && word != "correlation")
    node.refuse(ErrorCode::bad_value, "of",
                {"of is '", from_study(word), "'; write \"covariance\" or \"correlation\""});
  return word == "correlation";
}

const Kind& kind_of(const PrincipalComponent& /*model*/) {
  static const PrincipalComponentKind kind;
  return kind;
}

}  // namespace postern::model
