#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"

#include "bounds.hpp"
#include "fits.hpp"
#include "honest_case.hpp"

// Shares of the variance of several real columns along their principal axes. Columns are put in units of
// their sds first, so that no column is all of the variance.

namespace postern::honesty {
namespace {

struct AxesSpec {
  std::string name;
  std::string file;
  std::vector<std::string> columns;
  std::string budget;
  double times = 1.2;
  bool in_slice = false;
  /// Shares that are asked for, the largest first. Variances that are equal by construction have no order:
  /// every draw spreads them, and their ordered shares are not to be found.
  std::size_t shares = 8;
  /// Half ranges that are declared, in the columns' units; empty: `times` the range of the data.
  std::vector<double> halves = {};
};

/// In units of the sd, about the mean, to three digits.
Records scaled(Records records) {
  for (std::size_t j = 0; j < records.names.size(); ++j) {
    const std::vector<double> values = records.numbers(records.names[j]);
    double mean = 0;
    double square = 0;
    for (const double value : values) mean += value / static_cast<double>(values.size());
    for (const double value : values) square += (value - mean) * (value - mean);
    const double sd = std::sqrt(square / static_cast<double>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i)
      records.rows[i][j] = std::to_string(std::round(1000 * (values[i] - mean) / sd) / 1000);
  }
  return records;
}

class AxesCase final : public HonestCase {
 public:
  AxesCase(const AxesSpec& spec, const Records& records) : asked_(spec.shares) {
    name = "components/" + spec.name + "-bounds-" + times_text(spec.times);
    budget = spec.budget;
    in_slice = spec.in_slice;
    population = spec.halves.empty() ? scaled(records) : records;
    n = records.rows.size();
    study = study_head(spec.name, false, true, n);
    std::vector<std::vector<double>> columns;
    std::string quoted;
    for (const std::string& column : spec.columns) {
      columns.push_back(population.numbers(column));
      const std::size_t j = columns.size() - 1;
      study += spec.halves.empty() ? real_column(column, columns.back(), spec.times)
                                   : real_column(column, {-spec.halves[j], spec.halves[j]}, 1);
      quoted += (quoted.empty() ? "\"" : ", \"") + column + "\"";
    }
    study += "\n[model]\nkind = \"principal-component\"\ncolumns = [" + quoted + "]\n";
    shares_ = shares_of(columns);
  }

  [[nodiscard]] std::vector<Fact> facts(const release::Release& /*release*/,
                                        const infer::Posterior& posterior,
                                        std::size_t /*records*/) const override {
    std::vector<Fact> out;
    for (std::size_t k = 0; k < std::min(asked_, shares_.size()); ++k) {
      const std::string label = "share of the variance, axis " + std::to_string(k + 1);
      const Ends ends = ends_of(draws_of(posterior, quantity_labelled(posterior, label)));
      out.emplace_back();
      out.back().truth = shares_[k];
      out.back().lower = ends.lower;
      out.back().upper = ends.upper;
      out.back().unit = shares_[k];
    }
    return out;
  }

 private:
  std::vector<double> shares_;
  std::size_t asked_;
};

std::vector<AxesSpec> axes_specs() {
  const std::vector<AxesSpec> tables = {
      {"computers-four", "Computers.csv", {"price", "speed", "hd", "ram"}, "0.5"},
      {"computers-five", "Computers.csv", {"price", "speed", "hd", "ram", "ads"}, "0.5", 4, true},
      {"retschool-four", "RetSchool.csv", {"grade76", "exp76", "daded", "momed"}, "0.5", 1.2, true},
      {"ofp-four", "OFP.csv", {"ofp", "numchron", "age", "school"}, "0.5"},
      {"adult-four", "adult.csv", {"age", "education-num", "hours-per-week", "fnlwgt"}, "0.1"},
      {"males-two", "Males.csv", {"school", "exper"}, "0.1", 1.2, true},
      {"chile-three", "Chile.csv", {"age", "income", "statusquo"}, "0.5"},
      {"pima-eight",
       "pima-indians-diabetes.csv",
       {"Number_of_times_pregnant", "Plasma_glucose_concentration", "Diastolic_blood_pressure",
        "Triceps_skin_fold_thickness", "2_Hour_serum_insulin", "BMI", "Diabetes_pedigree_function", "Age"},
       "1"},
  };
  std::vector<AxesSpec> out;
  for (const AxesSpec& table : tables) {
    for (const double times : {1.2, 4.0}) {
      out.push_back(table);
      out.back().in_slice = table.in_slice && table.times == times;
      out.back().times = times;
    }
  }
  return out;
}

/// Nine normal columns that are correlated by .3 each with each, in bounds of four sds.
Records nine_columns() {
  Rng rng(20261118, 9, Purpose::test);
  Records out;
  for (int j = 0; j < 9; ++j) out.names.push_back("x" + std::to_string(j + 1));
  for (int i = 0; i < 50'000; ++i) {
    const double common = std::sqrt(0.3) * draw_normal(rng);
    std::vector<std::string> row;
    for (int j = 0; j < 9; ++j) {
      const double x = common + std::sqrt(0.7) * draw_normal(rng);
      row.push_back(std::to_string(i < 2 ? (i == 0 ? -4.0 : 4.0) : std::clamp(x, -4.0, 4.0)));
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

/// Normal records x = loadings z + specific e.
struct Law {
  std::string name;
  std::vector<std::vector<double>> loadings;  ///< one row a column
  std::vector<double> specific;               ///< sds
};

Records normal_columns(const Law& law) {
  Rng rng(20261119, 4, Purpose::test);
  const std::size_t d = law.specific.size();
  Records out;
  for (std::size_t j = 0; j < d; ++j) out.names.push_back("x" + std::to_string(j + 1));
  for (int i = 0; i < 10'000; ++i) {
    std::vector<double> z(law.loadings.front().size());
    for (double& one : z) one = draw_normal(rng);
    std::vector<std::string> row;
    for (std::size_t j = 0; j < d; ++j) {
      double x = law.specific[j] * draw_normal(rng);
      for (std::size_t k = 0; k < z.size(); ++k) x += law.loadings[j][k] * z[k];
      row.push_back(std::to_string(std::round(1000 * x) / 1000));
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

std::vector<double> sds_of(const Law& law) {
  std::vector<double> out;
  for (std::size_t j = 0; j < law.specific.size(); ++j) {
    double square = law.specific[j] * law.specific[j];
    for (const double l : law.loadings[j]) square += l * l;
    out.push_back(std::sqrt(square));
  }
  return out;
}

/// Every two columns have these correlations by one factor.
Law one_factor(const std::string& name, const std::vector<double>& sds, double correlation) {
  Law out{name, {}, {}};
  for (const double sd : sds) {
    out.loadings.push_back({sd * std::sqrt(correlation)});
    out.specific.push_back(sd * std::sqrt(1 - correlation));
  }
  return out;
}

/// Sds that differ by ten, and correlations of several factors: no variance along an axis is equal to
/// another.
std::vector<Law> laws() {
  std::vector<Law> out = {one_factor("sds-two", {1, 0.8}, 0.1), one_factor("sds-three", {1, 0.8, 0.6}, 0.2),
                          one_factor("sds-four", {1, 0.5, 0.2, 0.1}, 0.3),
                          one_factor("sds-eight", {1, 1, 0.5, 0.5, 0.2, 0.2, 0.1, 0.1}, 0.3)};
  for (const int d : {4, 8}) {
    Law mixed{d == 4 ? "mixed-four" : "mixed-eight", {}, {}};
    for (int i = 0; i < d; ++i) {
      mixed.loadings.push_back(
          {0.6 * std::sin(1.7 * i), 0.4 * std::cos(2.9 * i), 0.3 * std::sin(5.3 * i + 1)});
      mixed.specific.push_back(0.7 + 0.2 * std::cos(1.1 * i));
    }
    out.push_back(mixed);
  }
  return out;
}

}  // namespace

void add_components(Sources& sources, Cases& cases) {
  for (const AxesSpec& spec : axes_specs()) {
    const std::optional<Records>& found = sources.read(spec.file);
    if (found) cases.push_back(std::make_unique<AxesCase>(spec, select(*found, spec.columns, true)));
  }
  if (!sources.filter.empty() && sources.filter.find("law") == std::string::npos) return;
  for (const Law& law : laws()) {
    const Records records = normal_columns(law);
    const std::vector<double> sds = sds_of(law);
    for (const bool wide : {false, true}) {
      AxesSpec spec{"law-" + law.name + (wide ? "-wide" : ""), "", records.names, "0.5", 1};
      for (std::size_t j = 0; j < sds.size(); ++j)
        spec.halves.push_back((wide ? 8.0 + 5.0 * static_cast<double>((3 * j) % 4) : 5) * sds[j]);
      cases.push_back(std::make_unique<AxesCase>(spec, records));
      cases.back()->n = 5000;
    }
  }
  const Records nine = nine_columns();
  cases.push_back(std::make_unique<AxesCase>(AxesSpec{"law-nine", "", nine.names, "0.1", 1, false, 1}, nine));
  cases.back()->n = 5000;
}

}  // namespace postern::honesty
