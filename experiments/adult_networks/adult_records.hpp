#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

namespace postern::adult {

// Eight columns of Adult, coarse: marital, education, income, occupation, age, sex, hours, workclass.
constexpr std::size_t kColumns = 8;
using Record = std::array<std::uint32_t, kColumns>;
inline const std::vector<std::uint32_t> kSizes{3, 5, 2, 7, 5, 2, 4, 4};
using Parents = std::vector<std::vector<std::uint32_t>>;
inline const Parents kTwoParents{{}, {0}, {0, 1}, {1, 2}, {0}, {0}, {2, 3}, {3}};
inline const Parents kTree{{}, {0}, {0}, {1}, {0}, {0}, {3}, {3}};

inline bool begins(const std::string& text, std::initializer_list<const char*> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](const char* start) { return text.rfind(start, 0) == 0; });
}

inline std::uint32_t below(const std::string& number, std::initializer_list<int> cuts) {
  int value = 0;
  std::from_chars(number.data(), number.data() + number.size(), value);
  return static_cast<std::uint32_t>(
      std::count_if(cuts.begin(), cuts.end(), [&](int cut) { return value >= cut; }));
}

inline Record coded(const std::vector<std::string>& field) {
  const std::string& school = field[3];
  const std::string& married = field[5];
  const std::string& work = field[6];
  Record out{};
  out[0] = begins(married, {"Married"}) ? 0 : begins(married, {"Never"}) ? 1 : 2;
  out[1] = begins(school, {"HS"})                     ? 1
           : begins(school, {"Some", "Assoc"})        ? 2
           : begins(school, {"Bach"})                 ? 3
           : begins(school, {"Mast", "Doct", "Prof"}) ? 4
                                                      : 0;
  out[2] = begins(field[14], {">50K"}) ? 1 : 0;
  out[3] = begins(work, {"Exec"})                                     ? 0
           : begins(work, {"Prof", "Tech"})                           ? 1
           : begins(work, {"Adm"})                                    ? 2
           : begins(work, {"Sales"})                                  ? 3
           : begins(work, {"Craft", "Machine", "Transport", "Handl"}) ? 4
           : begins(work, {"Other", "Priv", "Farm"})                  ? 5
                                                                      : 6;
  out[4] = below(field[0], {26, 36, 46, 56});
  out[5] = begins(field[9], {"Male"}) ? 1 : 0;
  out[6] = below(field[12], {35, 41, 51});
  out[7] = begins(field[1], {"Private"})                     ? 0
           : begins(field[1], {"Self"})                      ? 1
           : begins(field[1], {"Federal", "Local", "State"}) ? 2
                                                             : 3;
  return out;
}

/// The first `most` records of FOLDER/adult.csv that are whole; none if there is no such file.
inline std::vector<Record> read_adult(const std::string& folder, std::size_t most) {
  std::ifstream file(folder + "/adult.csv");
  std::vector<Record> out;
  std::string line;
  std::getline(file, line);
  while (out.size() < most && std::getline(file, line)) {
    std::vector<std::string> fields;
    std::istringstream parts(line);
    for (std::string part; std::getline(parts, part, ',');) fields.push_back(part);
    if (fields.size() == 15) out.push_back(coded(fields));
  }
  return out;
}

}  // namespace postern::adult
