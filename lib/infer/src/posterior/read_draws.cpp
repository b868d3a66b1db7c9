#include "read_draws.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <stdexcept>

#include "folder_files.hpp"

namespace postern::infer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestHeader = std::size_t{1} << 16;
constexpr std::size_t kLeastDigits = 2;  ///< that a number and what is behind it take in a CSV file

/// The rest of `text` behind `prefix`; throws where it begins otherwise.
std::string_view behind(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) throw std::invalid_argument("array");
  return text.substr(prefix.size());
}

/// An array file of the shape that is wanted, as NumPy writes doubles: version 1.0 of its form and no other.
std::vector<double> numbers_of_npy(std::string_view bytes, std::size_t rows, std::size_t columns) {
  std::string_view rest = behind(bytes, std::string_view("\x93NUMPY\x01\x00", 8));
  if (rest.size() < 2) throw std::invalid_argument("array");
  const std::size_t length =
      static_cast<unsigned char>(rest[0]) + std::size_t{256} * static_cast<unsigned char>(rest[1]);
  rest.remove_prefix(2);
  if (rest.size() < length || rest.size() - length != 8 * rows * columns)
    throw std::invalid_argument("array");
  std::string_view header = behind(rest.substr(0, length), "{'descr': '<f8', 'fortran_order': ");
  const bool by_column = header.starts_with("True");
  header = behind(header, by_column ? "True" : "False");
  header = behind(header, ", 'shape': (" + std::to_string(rows) + ", " + std::to_string(columns) + "), }");
  if (header.find_first_not_of(" \n") != std::string_view::npos) throw std::invalid_argument("array");
  std::vector<double> numbers(rows * columns);
  std::memcpy(numbers.data(), rest.data() + length, 8 * numbers.size());
  if (by_column) return numbers;
  std::vector<double> turned(numbers.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t q = 0; q < columns; ++q) turned[q * rows + i] = numbers[i * columns + q];
  }
  return turned;
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) throw std::invalid_argument("line");
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

/// CmdStan's form: comments, the names, one line a draw.
std::vector<double> numbers_of_csv(std::string_view text, const std::vector<std::string>& names,
                                   std::size_t rows) {
  std::string_view line = take_line(text);
  while (line.starts_with('#')) line = take_line(text);
  std::string header;
  for (const std::string& name : names) header += (header.empty() ? "" : ",") + name;
  if (line != header || text.size() / kLeastDigits < rows * names.size())
    throw std::invalid_argument("chain");
  std::vector<double> numbers(rows * names.size());
  for (std::size_t i = 0; i < rows; ++i) {
    line = take_line(text);
    for (std::size_t q = 0; q < names.size(); ++q) {
      const std::size_t comma = line.find(',');
      if ((comma == std::string_view::npos) != (q + 1 == names.size())) throw std::invalid_argument("line");
      numbers[q * rows + i] = read_number(line.substr(0, comma));
      if (comma != std::string_view::npos) line.remove_prefix(comma + 1);
    }
  }
  if (!text.empty()) throw std::invalid_argument("chain");
  return numbers;
}

bool holds_arrays(const fs::path& folder) {
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("chain_") && name.ends_with(".npy")) return true;
  }
  return false;
}

}  // namespace

double read_number(std::string_view text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) throw std::invalid_argument("number");
  return value;
}

void read_draws(const fs::path& folder, Posterior& posterior) {
  const bool arrays = holds_arrays(folder);
  const std::size_t names = posterior.names.size();
  if (posterior.iterations > kMostFolderBytes / 8 / names) throw not_together(folder);
  const std::size_t most = arrays ? 8 * posterior.iterations * names + kLongestHeader : kMostFolderBytes;
  for (std::size_t chain = 1; chain <= posterior.chains; ++chain) {
    const fs::path file = folder / ("chain_" + std::to_string(chain) + (arrays ? ".npy" : ".csv"));
    const std::string bytes = read_regular(file, most);
    posterior.draws.push_back(arrays ? numbers_of_npy(bytes, posterior.iterations, names)
                                     : numbers_of_csv(bytes, posterior.names, posterior.iterations));
  }
}

}  // namespace postern::infer
