#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>

#include "postern/core/draw.hpp"

#include "data.hpp"

namespace postern::wm10 {
namespace {

/// A column and its public bounds.
struct Bounded {
  std::string title;
  double lo = 0;
  double hi = 1;
};

struct Source {
  std::string file;
  std::vector<Bounded> columns;
  std::string label;
  std::string positive;
};

const Source& source_of(const std::string& name) {
  static const Source pima{"pima-indians-diabetes.csv",
                           {{"Number_of_times_pregnant", 0, 20},
                            {"Plasma_glucose_concentration", 0, 200},
                            {"Diastolic_blood_pressure", 0, 130},
                            {"Triceps_skin_fold_thickness", 0, 100},
                            {"2_Hour_serum_insulin", 0, 900},
                            {"BMI", 0, 70},
                            {"Diabetes_pedigree_function", 0, 2.5},
                            {"Age", 0, 90}},
                           "class",
                           "1"};
  static const Source adult{"adult.csv",
                            {{"age", 17, 90},
                             {"fnlwgt", 0, 1'500'000},
                             {"education-num", 1, 16},
                             {"capital-gain", 0, 99'999},
                             {"capital-loss", 0, 4356},
                             {"hours-per-week", 1, 99}},
                            "income",
                            ">50K"};
  return name == "PIMA" ? pima : adult;
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream text(line);
  for (std::string field; std::getline(text, field, ',');) {
    const std::size_t from = field.find_first_not_of(" \r\"");
    const std::size_t to = field.find_last_not_of(" \r\"");
    out.push_back(from == std::string::npos ? "" : field.substr(from, to - from + 1));
  }
  return out;
}

/// All records of the file, scaled, a one first.
Labelled read_all(const Source& source, std::istream& file) {
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> titles = fields(line);
  const auto place = [&](const std::string& title) {
    return static_cast<std::size_t>(std::find(titles.begin(), titles.end(), title) - titles.begin());
  };
  Labelled out;
  out.dimensions = source.columns.size() + 1;
  while (std::getline(file, line)) {
    const std::vector<std::string> record = fields(line);
    if (record.size() != titles.size()) continue;
    out.x.push_back(1);
    for (const Bounded& column : source.columns) {
      const double value = std::stod(record.at(place(column.title)));
      out.x.push_back(std::clamp(2 * (value - column.lo) / (column.hi - column.lo) - 1, -1.0, 1.0));
    }
    out.y.push_back(record.at(place(source.label)) == source.positive);
  }
  return out;
}

std::vector<std::size_t> shuffled(const Labelled& all, Rng& rng) {
  std::vector<std::size_t> out(all.size());
  std::iota(out.begin(), out.end(), 0);
  for (std::size_t i = out.size(); i > 1; --i) std::swap(out[i - 1], out[draw_below(i, rng)]);
  return out;
}

void take(Labelled& to, const Labelled& from, std::size_t i) {
  to.dimensions = from.dimensions;
  to.x.insert(to.x.end(), from.at(i), from.at(i) + from.dimensions);
  to.y.push_back(from.y[i]);
}

/// So many of each label, from the front of `order`, which then lacks them.
Labelled take_balanced(const Labelled& all, std::vector<std::size_t>& order, std::size_t records) {
  Labelled out;
  std::size_t left[2] = {records / 2, records / 2};
  std::vector<std::size_t> rest;
  for (const std::size_t i : order) {
    if (left[all.y[i] ? 1 : 0] == 0) {
      rest.push_back(i);
      continue;
    }
    --left[all.y[i] ? 1 : 0];
    take(out, all, i);
  }
  order = std::move(rest);
  return out;
}

void split_pima(const Labelled& all, Dataset& out, Rng& rng) {
  constexpr std::size_t kLearn = 691;
  out.test = all;
  for (const std::size_t i : shuffled(all, rng))
    take(out.learn.size() < kLearn ? out.learn : out.known, all, i);
}

void split_adult(const Labelled& all, Dataset& out, bool quick, Rng& rng) {
  std::vector<std::size_t> order = shuffled(all, rng);
  out.learn = take_balanced(all, order, quick ? 1000 : 10'000);
  out.test = take_balanced(all, order, quick ? 500 : 5000);
  out.known = take_balanced(all, order, 600);
}

}  // namespace

std::optional<Dataset> read_dataset(const std::string& name, const std::filesystem::path& folder, bool quick,
                                    Rng& rng) {
  const Source& source = source_of(name);
  std::ifstream file(folder / source.file);
  if (folder.empty() || !file) return std::nullopt;
  const Labelled all = read_all(source, file);
  Dataset out;
  out.name = name;
  if (name == "PIMA") {
    split_pima(all, out, rng);
  } else {
    split_adult(all, out, quick, rng);
  }
  for (std::size_t i = 0; i < out.known.size(); ++i)
    out.cloud.emplace_back(out.known.at(i), out.known.at(i) + out.known.dimensions);
  out.sampled = true;
  out.most = static_cast<double>(all.dimensions);
  out.step = 1.5;  // columns far from the middle of their bounds: longer ones do not settle
  out.prior_sd = 5;
  return out;
}

}  // namespace postern::wm10
