#include <algorithm>
#include <cmath>
#include <numeric>

#include "postern/core/draw.hpp"

#include "bounds.hpp"
#include "fits.hpp"
#include "honest_case.hpp"

// Lines through real columns, with bounds wider than the data: slopes, and the residual's sd. And laws that
// people met: one strong feature of many, features that hardly vary, a rare level.

namespace postern::honesty {
namespace {

struct LineSpec {
  std::string name;
  std::string file;
  Line line = Line::linear;
  std::string target;
  std::vector<std::string> features;
  std::string budget = "1";
  std::vector<double> times = {1.2, 4, 10};
  std::size_t n = 0;  ///< 0: as many as there are
  bool in_slice = false;
  std::size_t judged = 0;  ///< so many slopes, the first ones; 0: all
};

class LineCase final : public HonestCase {
 public:
  LineCase(const LineSpec& spec, double times, const Records& records);
  [[nodiscard]] std::vector<Fact> facts(const release::Release& release, const infer::Posterior& posterior,
                                        std::size_t records) const override;

 private:
  void declare_target(const LineSpec& spec, double times);

  LineFit fit_;
  std::vector<std::string> features_;
  std::string target_;
  Line line_;
  std::size_t judged_;
};

std::string kind_text(Line line) {
  if (line == Line::linear) return "linear-regression";
  return line == Line::logistic ? "logistic-regression" : "poisson-regression";
}

std::string two_levels(const std::string& name) {
  return column_header(name) + "categories = [\"0\", \"1\"]\nmissing = \"0\"\n";
}

/// Columns of two levels are called so in the laws below.
bool is_category(const std::string& name) { return name.starts_with("binary"); }

std::string label_of(const std::string& feature) {
  return is_category(feature) ? "effect of " + feature + " = 1" : "slope of " + feature;
}

std::string case_name(const LineSpec& spec, double times) {
  const std::string kind = kind_text(spec.line);
  return kind.substr(0, kind.find('-')) + "/" + spec.name + "-bounds-" + times_text(times);
}

LineCase::LineCase(const LineSpec& spec, double times, const Records& records)
    : features_(spec.features),
      target_(spec.target),
      line_(spec.line),
      judged_(spec.judged == 0 ? spec.features.size() : spec.judged) {
  name = case_name(spec, times);
  budget = spec.budget;
  in_slice = spec.in_slice && times <= 4;
  chain_draws = 1000;
  population = records;
  n = spec.n == 0 ? records.rows.size() : spec.n;
  study = study_head(spec.name, false, false, n);
  std::vector<std::vector<double>> x;
  std::string quoted;
  for (const std::string& feature : features_) {
    x.push_back(records.numbers(feature));
    study += is_category(feature) ? two_levels(feature) : real_column(feature, x.back(), times);
    quoted += (quoted.empty() ? "\"" : ", \"") + feature + "\"";
  }
  declare_target(spec, times);
  study += "\n[model]\nkind = \"" + kind_text(spec.line) + "\"\ntarget = \"" + target_ + "\"\nfeatures = [" +
           quoted + "]\n";
  fit_ = fit_line(spec.line, x, records.numbers(target_));
  const double grown = std::sqrt(static_cast<double>(records.rows.size()) / static_cast<double>(n));
  for (double& error : fit_.errors) error *= grown;
}

void LineCase::declare_target(const LineSpec& spec, double times) {
  const std::vector<double> y = population.numbers(spec.target);
  if (spec.line == Line::linear) study += real_column(spec.target, y, times);
  if (spec.line == Line::logistic) study += two_levels(spec.target);
  if (spec.line == Line::poisson) {
    const double most = std::ceil(times * *std::max_element(y.begin(), y.end()));
    study += column_header(spec.target) + "integer = [0, " + std::to_string(std::lround(most)) +
             "]\nmissing = \"0\"\n";
  }
}

std::vector<Fact> LineCase::facts(const release::Release& /*release*/, const infer::Posterior& posterior,
                                  std::size_t records) const {
  std::vector<Fact> out;
  const auto add = [&](const std::string& label, double truth, double error) {
    const Ends ends = ends_of(draws_of(posterior, quantity_labelled(posterior, label)));
    Fact fact;
    fact.truth = truth;
    fact.lower = ends.lower;
    fact.upper = ends.upper;
    fact.unit = 3.29 * error;
    out.push_back(fact);
  };
  for (std::size_t j = 0; j < judged_; ++j) add(label_of(features_[j]), fit_.slopes[j], fit_.errors[j]);
  if (line_ == Line::linear) {
    add("sd of " + target_ + " around the line", fit_.sigma,
        fit_.sigma / std::sqrt(2 * static_cast<double>(records)));
  }
  return out;
}

std::vector<LineSpec> line_specs() {
  const Line line = Line::linear;
  const std::string adult = "adult.csv";
  const std::string pima = "pima-indians-diabetes.csv";
  return {
      {"turnout-income", "turnout.csv", line, "income", {"age", "educate"}, "1", {1.2, 4, 10}, 0, true},
      {"males-wage", "Males.csv", line, "wage", {"school", "exper"}},
      {"males-wage-year", "Males.csv", line, "wage", {"school", "exper", "year"}},
      {"retschool-wage", "RetSchool.csv", line, "wage76", {"grade76", "exp76"}},  // age is 6 + both
      {"retschool-grade", "RetSchool.csv", line, "grade76", {"daded", "momed"}},
      {"ofp-visits", "OFP.csv", line, "ofp", {"numchron", "age", "school", "hosp"}},
      {"chile-statusquo", "Chile.csv", line, "statusquo", {"age", "income", "population"}},
      {"computers-price", "Computers.csv", line, "price", {"speed", "hd", "ram", "screen", "ads", "trend"}},
      {"computers-price-two", "Computers.csv", line, "price", {"speed", "ram"}, "1", {1.2, 4, 10}, 0, true},
      {"pima-glucose", pima, line, "Plasma_glucose_concentration", {"BMI", "Age"}},
      {"adult-hours", adult, line, "hours-per-week", {"age", "education-num"}},
      {"adult-hours-four",
       adult,
       line,
       "hours-per-week",
       {"age", "education-num", "capital-gain", "capital-loss"}},
      {"turnout-vote",
       "turnout.csv",
       Line::logistic,
       "vote",
       {"age", "educate", "income"},
       "1",
       {1.2, 4, 10},
       0,
       true},
      {"pima-diabetes", pima, Line::logistic, "class", {"Plasma_glucose_concentration", "BMI", "Age"}},
      {"ofp-hosp", "OFP.csv", Line::poisson, "hosp", {"numchron", "age"}, "1", {1.2, 4, 10}, 0, true},
      {"ofp-emr", "OFP.csv", Line::poisson, "emr", {"numchron", "school", "faminc"}, "2"},
  };
}

// ---- laws

/// A feature of a law: normal about nought within bounds of -1 and 1, or of two levels.
struct Feature {
  double sd = 0;    ///< of a number
  double rate = 0;  ///< of the second level
  double slope = 0;
};

struct LawSpec {
  std::string name;
  Line line = Line::linear;
  std::size_t n = 0;
  std::string budget;
  std::vector<Feature> features;
  double intercept = 0;
  double sigma = 0;
  bool in_slice = false;
  std::size_t judged = 0;  ///< as in LineSpec
};

double draw_feature(const Feature& feature, Rng& rng) {
  if (feature.rate > 0) return rng.uniform() < feature.rate ? 1 : 0;
  return std::round(1e4 * std::clamp(feature.sd * draw_normal(rng), -1.0, 1.0)) / 1e4;
}

double draw_target(const LawSpec& law, double eta, Rng& rng) {
  if (law.line == Line::logistic) return rng.uniform() < 1 / (1 + std::exp(-eta)) ? 1 : 0;
  if (law.line == Line::poisson) return draw_poisson(std::exp(eta), rng);
  return eta + law.sigma * draw_normal(rng);
}

std::vector<std::string> feature_names(const LawSpec& law) {
  std::vector<std::string> out;
  for (const Feature& feature : law.features)
    out.push_back((feature.rate > 0 ? "binary" : "x") + std::to_string(out.size() + 1));
  return out;
}

/// A population of the law. The bounds of its numbers are -1 and 1: two records are there.
Records made_up(const LawSpec& law) {
  Rng rng(20261118, static_cast<std::uint32_t>(law.features.size()), Purpose::test);
  Records out;
  out.names = feature_names(law);
  out.names.emplace_back("y");
  for (std::size_t i = 0; i < 100'000; ++i) {
    std::vector<std::string> row;
    double eta = law.intercept;
    for (const Feature& feature : law.features) {
      double x = draw_feature(feature, rng);
      if (i < 2 && feature.rate == 0) x = i == 0 ? -1 : 1;
      eta += i < 2 ? 0 : feature.slope * x;
      row.push_back(feature.rate > 0 ? std::to_string(std::lround(x)) : std::to_string(x));
    }
    const double y = draw_target(law, eta, rng);
    row.push_back(law.line == Line::linear ? std::to_string(y) : std::to_string(std::lround(y)));
    out.rows.push_back(std::move(row));
  }
  return out;
}

/// Eight features that explain .95 of the target's variance where sigma is .05: the first two, which are
/// judged, do.
std::vector<Feature> nearly_determined() {
  std::vector<Feature> out(8, {0.3, 0, 0});
  out[0].slope = 0.55;
  out[1].slope = -0.47;
  return out;
}

std::vector<LawSpec> law_specs() {
  std::vector<Feature> one_strong(14, {0.3, 0, 0});
  one_strong[0].slope = 0.6;
  return {
      {"law-sd-tenth", Line::linear, 20'000, "1", {{0.1, 0, 2}}, 0, 0.15, true},
      {"law-sd-thirtieth", Line::linear, 20'000, "1", {{1.0 / 30, 0, 6}}, 0, 0.15},
      {"law-one-strong-of-14", Line::linear, 20'000, "1", one_strong, 0, 0.15},
      {"law-one-strong-of-14-few", Line::linear, 5000, "1", one_strong, 0, 0.15},
      {"law-nearly-determined", Line::linear, 5000, "1", nearly_determined(), 0, 0.05, false, 2},
      {"law-sd-tenth", Line::logistic, 20'000, "1", {{0.1, 0, 10}, {0.1, 0, -5}}, 0, 0},
      {"law-strong-binary", Line::logistic, 5000, "1", {{0.3, 0, 1}, {0, 0.3, 3}}, -1, 0},
      {"law-sd-tenth", Line::poisson, 20'000, "1", {{0.1, 0, 4}, {0.1, 0, -2}}, 0, 0},
      {"law-treatment", Line::poisson, 5000, "5", {{0.4, 0, 0.5}, {0, 0.5, 0.2}, {0, 0.5, -0.4}}, 0.5, 0},
  };
}

void add_law(const LawSpec& law, const Sources& sources, Cases& cases) {
  const LineSpec spec{law.name,   "",  law.line, "y",          feature_names(law),
                      law.budget, {1}, law.n,    law.in_slice, law.judged};
  if (case_name(spec, 1).find(sources.filter) == std::string::npos || (sources.slice && !law.in_slice))
    return;
  cases.push_back(std::make_unique<LineCase>(spec, 1, made_up(law)));
}

}  // namespace

void add_regressions(Sources& sources, Cases& cases) {
  for (const LineSpec& spec : line_specs()) {
    const std::optional<Records>& found = sources.read(spec.file);
    if (!found) continue;
    std::vector<std::string> columns = spec.features;
    columns.push_back(spec.target);
    const Records records = select(*found, columns, true);
    for (const double times : spec.times) cases.push_back(std::make_unique<LineCase>(spec, times, records));
  }
  for (const LawSpec& law : law_specs()) add_law(law, sources, cases);
}

}  // namespace postern::honesty
