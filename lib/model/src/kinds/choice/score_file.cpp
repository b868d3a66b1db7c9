#include "kinds/choice/score_file.hpp"

#include <algorithm>
#include <charconv>

#include "postern/core/error.hpp"
#include "postern/model/study_files.hpp"

#include "kinds/csv_text.hpp"

namespace postern::model {
namespace {

/// The level that each column of the file is of.
std::vector<std::uint32_t> levels_in(Node& node, const std::vector<std::string>& titles,
                                     const Column& column) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 1; i < titles.size(); ++i) {
    const auto level = column.find_level(titles[i]);
    if (!level || std::find(out.begin(), out.end(), *level) != out.end()) {
      node.refuse(ErrorCode::bad_value, "scores",
                  {"has a column '", from_study(titles[i]), "' that is no level of '",
                   from_study(column.name), "', or is there twice"});
    }
    out.push_back(*level);
  }
  if (out.size() != column.levels())
    node.refuse(ErrorCode::bad_value, "scores",
                {"needs a column for every level of '", from_study(column.name), "', and has ",
                 public_number(static_cast<long long>(out.size())), " of ", public_number(column.levels())});
  return out;
}

std::int64_t score_in(Node& node, const std::string& text) {
  std::int64_t score = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), score);
  if (fault != std::errc() || end != text.data() + text.size() || std::abs(score) > kMostScore) {
    node.refuse(ErrorCode::bad_value, "scores",
                {"holds '", from_study(text), "'; scores are whole numbers of at most 2^30 either way"});
  }
  return score;
}

}  // namespace

void read_score_file(Node& node, const Column& column, Choice& model) {
  auto* files = dynamic_cast<StudyFiles*>(&node);
  if (files == nullptr) node.refuse(ErrorCode::unsupported, "scores", {"is the name of a file"});
  const std::vector<std::vector<std::string>> lines = csv_lines(files->file("scores").text);
  if (lines.size() < 3)
    node.refuse(ErrorCode::bad_value, "scores",
                {"needs a line of titles (candidate, then the levels) and a line for each of two or more "
                 "candidates"});
  const std::vector<std::uint32_t> levels = levels_in(node, lines.front(), column);
  model.scores.assign((lines.size() - 1) * levels.size(), 0);
  for (std::size_t z = 0; z + 1 < lines.size(); ++z) {
    const std::vector<std::string>& line = lines[z + 1];
    if (line.size() != levels.size() + 1)
      node.refuse(ErrorCode::bad_value, "scores",
                  {"has a line for '", from_study(line.front()), "' of another length than its titles"});
    model.names.push_back(line.front());
    for (std::size_t i = 0; i < levels.size(); ++i)
      model.scores[z * levels.size() + levels[i]] = score_in(node, line[i + 1]);
  }
}

}  // namespace postern::model
