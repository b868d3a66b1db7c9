// CSV file to coded columns: Adult (or a file of its shape) repeated 100 times, all 15 columns, one thread.
//   bench_csv [--data DIR] [--keep FILE]     DIR holds adult.csv; FILE stays, for peers to read
#include "postern/owner/csv.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "bench.hpp"

namespace {

using namespace postern;

model::Column category(const char* name, std::vector<std::string> labels) {
  return {name, model::Categories{std::move(labels)}, model::MapTo{0}, model::MapTo{0}, true};
}
model::Column integer(const char* name, std::int64_t lo, std::int64_t hi,
                      std::vector<std::int64_t> cuts = {}) {
  return {name, model::IntegerRange{lo, hi, std::move(cuts)}, model::MapTo{0}, model::Clamp{}, true};
}

/// The columns of UCI Adult (Becker and Kohavi 1996), as its documentation declares them.
model::Schema adult() {
  return model::Schema({
      integer("age", 17, 90),
      category("workclass", {"?", "Federal-gov", "Local-gov", "Never-worked", "Private", "Self-emp-inc",
                             "Self-emp-not-inc", "State-gov", "Without-pay"}),
      integer("fnlwgt", 0, 1500000,
              {50000, 100000, 150000, 200000, 250000, 300000, 400000, 500000, 750000, 1000000}),
      category("education",
               {"10th", "11th", "12th", "1st-4th", "5th-6th", "7th-8th", "9th", "Assoc-acdm", "Assoc-voc",
                "Bachelors", "Doctorate", "HS-grad", "Masters", "Preschool", "Prof-school", "Some-college"}),
      integer("education-num", 1, 16),
      category("marital-status", {"Divorced", "Married-AF-spouse", "Married-civ-spouse",
                                  "Married-spouse-absent", "Never-married", "Separated", "Widowed"}),
      category("occupation",
               {"?", "Adm-clerical", "Armed-Forces", "Craft-repair", "Exec-managerial", "Farming-fishing",
                "Handlers-cleaners", "Machine-op-inspct", "Other-service", "Priv-house-serv",
                "Prof-specialty", "Protective-serv", "Sales", "Tech-support", "Transport-moving"}),
      category("relationship",
               {"Husband", "Not-in-family", "Other-relative", "Own-child", "Unmarried", "Wife"}),
      category("race", {"Amer-Indian-Eskimo", "Asian-Pac-Islander", "Black", "Other", "White"}),
      category("sex", {"Female", "Male"}),
      integer("capital-gain", 0, 99999),
      integer("capital-loss", 0, 4500),
      integer("hours-per-week", 1, 99),
      category("native-country", {"?",
                                  "Cambodia",
                                  "Canada",
                                  "China",
                                  "Columbia",
                                  "Cuba",
                                  "Dominican-Republic",
                                  "Ecuador",
                                  "El-Salvador",
                                  "England",
                                  "France",
                                  "Germany",
                                  "Greece",
                                  "Guatemala",
                                  "Haiti",
                                  "Holand-Netherlands",
                                  "Honduras",
                                  "Hong",
                                  "Hungary",
                                  "India",
                                  "Iran",
                                  "Ireland",
                                  "Italy",
                                  "Jamaica",
                                  "Japan",
                                  "Laos",
                                  "Mexico",
                                  "Nicaragua",
                                  "Outlying-US(Guam-USVI-etc)",
                                  "Peru",
                                  "Philippines",
                                  "Poland",
                                  "Portugal",
                                  "Puerto-Rico",
                                  "Scotland",
                                  "South",
                                  "Taiwan",
                                  "Thailand",
                                  "Trinadad&Tobago",
                                  "United-States",
                                  "Vietnam",
                                  "Yugoslavia"}),
      category("income", {"<=50K", ">50K"}),
  });
}

constexpr int kRepeats = 100;
constexpr int kLines = 32561;

/// One value; half of the time the same one, as real columns are uneven.
std::string simulate(const model::Column& column, std::mt19937_64& random) {
  if (const auto* categories = std::get_if<model::Categories>(&column.values)) {
    const std::size_t level = random() % 2 == 0 ? 1 : random() % categories->labels.size();
    return categories->labels[level];
  }
  const auto& range = std::get<model::IntegerRange>(column.values);
  if (column.name.starts_with("capital") && random() % 12 != 0) return "0";
  return std::to_string(
      range.lo +
      static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(range.hi - range.lo + 1)) / 4);
}

std::string simulated_lines(const model::Schema& schema) {
  std::mt19937_64 random(1);
  std::string lines;
  for (int i = 0; i < kLines; ++i) {
    for (const model::Column& column : schema.columns()) {
      lines += simulate(column, random) + (column.name == "income" ? "\n" : ",");
    }
  }
  return lines;
}

void write_file(const std::string& path, const std::string& data, const model::Schema& schema) {
  std::string header;
  for (const model::Column& column : schema.columns()) header += (header.empty() ? "" : ",") + column.name;
  std::string lines;
  if (data.empty()) {
    lines = simulated_lines(schema);
  } else {
    std::ifstream file(data + "/adult.csv", std::ios::binary);
    std::getline(file, header);
    lines.assign(std::istreambuf_iterator<char>(file), {});
  }
  std::ofstream out(path, std::ios::binary);
  out << header << "\n";
  for (int i = 0; i < kRepeats; ++i) out << lines;
}

}  // namespace

int main(int argc, char** argv) {
  std::string data;
  std::string keep;
  for (int i = 1; i + 1 < argc; i += 2) (std::string(argv[i]) == "--data" ? data : keep) = argv[i + 1];
  const model::Schema schema = adult();
  const std::string path =
      keep.empty() ? (std::filesystem::temp_directory_path() / "postern-bench-adult.csv").string() : keep;
  write_file(path, data, schema);
  std::vector<std::string> names;
  for (const model::Column& column : schema.columns()) names.push_back(column.name);

  bench::Report report;
  std::vector<double> times;
  for (int run = 0; run < 3; ++run) {
    const double start = bench::cpu_seconds();
    const owner::Records records = owner::CsvFile(path, schema, names).read(1);
    times.push_back(bench::cpu_seconds() - start);
    if (records.rows() != std::size_t{kLines} * kRepeats) return 1;
  }
  std::sort(times.begin(), times.end());
  report.add("csv: Adult x 100 to coded columns", times[1], "CPU s");
  if (keep.empty()) std::filesystem::remove(path);
}
