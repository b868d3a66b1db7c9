#include <algorithm>
#include <cmath>

#include "bounds.hpp"
#include "fits.hpp"
#include "honest_case.hpp"

// Means and sds of real numbers by the normal family. Its old default is none; what people write by hand
// stands in for it: a mean about the middle, worth one record, and an sd of a quarter of the declared range.

namespace postern::honesty {
namespace {

struct NumberSpec {
  std::string file;
  std::string column;
  std::string budget;
  double times = 1.2;
  bool private_n = false;
  bool in_slice = false;
};

struct Moments {
  double mean = 0;
  double sd = 0;
};

Moments moments_of(const std::vector<double>& values) {
  Moments out;
  for (const double value : values) out.mean += value / static_cast<double>(values.size());
  for (const double value : values) out.sd += (value - out.mean) * (value - out.mean);
  out.sd = std::sqrt(out.sd / static_cast<double>(values.size()));
  return out;
}

std::string quoted(double value) {
  char text[64];
  (void)std::snprintf(text, sizeof text, "\"%.6f\"", value);
  return text;
}

class NumberCase final : public HonestCase {
 public:
  NumberCase(const NumberSpec& spec, const Records& records) : column_(spec.column) {
    const std::string file = spec.file.substr(0, spec.file.find_first_of(".-"));
    name = "number/" + file + "-" + column_ + "-bounds-" + times_text(spec.times);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    budget = spec.budget;
    in_slice = spec.in_slice;
    population = records;
    n = records.rows.size();
    const std::vector<double> values = records.numbers(column_);
    truth_ = moments_of(values);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const double sd = spec.times * (*most - *least) / 4;
    study = study_head(file, spec.private_n, false, n) + real_column(column_, values, spec.times) +
            "\n[model]\nkind = \"family\"\nfamily = \"normal\"\ncolumn = \"" + column_ +
            "\"\nprior = { normal-inverse-gamma = [" + quoted((*least + *most) / 2) + ", 1, 2, " +
            quoted(sd * sd) + "] }\n";
  }

  [[nodiscard]] std::vector<Fact> facts(const release::Release& /*release*/,
                                        const infer::Posterior& posterior,
                                        std::size_t records) const override {
    const double root = std::sqrt(static_cast<double>(records));
    const Ends mean = ends_of(draws_of(posterior, quantity_labelled(posterior, "mean of " + column_)));
    std::vector<double> sds = draws_of(posterior, quantity_labelled(posterior, "variance of " + column_));
    for (double& value : sds) value = std::sqrt(value);
    const Ends sd = ends_of(std::move(sds));
    std::vector<Fact> out(2);
    out[0].truth = truth_.mean;
    out[0].lower = mean.lower;
    out[0].upper = mean.upper;
    out[0].unit = 3.29 * truth_.sd / root;
    out[1].truth = truth_.sd;
    out[1].lower = sd.lower;
    out[1].upper = sd.upper;
    out[1].unit = 3.29 * truth_.sd / root / std::sqrt(2.0);
    return out;
  }

 private:
  std::string column_;
  Moments truth_;
};

std::vector<NumberSpec> number_specs() {
  const std::string pima = "pima-indians-diabetes.csv";
  return {
      {"turnout.csv", "age", "0.5", 1.2, false, true},
      {"turnout.csv", "age", "0.5", 10},
      {"turnout.csv", "age", "1", 20, true},
      {"Males.csv", "wage", "0.5", 4},
      {"Males.csv", "wage", "1", 20},
      {"RetSchool.csv", "wage76", "0.3", 1.2},
      {"RetSchool.csv", "wage76", "1", 10},
      {"Computers.csv", "price", "0.5", 4, true, true},
      {"Computers.csv", "price", "1", 20},
      {pima, "BMI", "1", 1.2},
      {pima, "BMI", "1", 10},
      {"Chile.csv", "statusquo", "0.5", 4},
  };
}

}  // namespace

void add_numbers(Sources& sources, Cases& cases) {
  for (const NumberSpec& spec : number_specs()) {
    const std::optional<Records>& found = sources.read(spec.file);
    if (found) cases.push_back(std::make_unique<NumberCase>(spec, select(*found, {spec.column}, true)));
  }
}

}  // namespace postern::honesty
