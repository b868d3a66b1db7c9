#include "kinds/logistic_regression/covariate_rows.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/model/encode.hpp"
#include "postern/model/study_error.hpp"
#include "postern/model/study_files.hpp"

#include "kinds/csv_text.hpp"

namespace postern::model {
namespace {

constexpr const char* kKey = "covariates_from";
constexpr std::size_t kFewestRows = 10;

/// The place of each feature among the titles.
std::vector<std::size_t> places_of(Node& node, const std::vector<std::string>& titles,
                                   const std::vector<std::string>& features) {
  std::vector<std::size_t> out;
  for (const std::string& name : features) {
    if (std::count(titles.begin(), titles.end(), name) != 1)
      node.refuse(ErrorCode::bad_value, kKey,
                  {"needs a first line of titles with each feature once; '", from_study(name),
                   "' is not there once"});
    out.push_back(static_cast<std::size_t>(std::find(titles.begin(), titles.end(), name) - titles.begin()));
  }
  return out;
}

}  // namespace

std::vector<std::uint32_t> read_row_file(Node& node, const std::vector<std::string>& features,
                                         const Schema& schema) {
  auto* files = dynamic_cast<StudyFiles*>(&node);
  if (files == nullptr) node.refuse(ErrorCode::unsupported, kKey, {"is the name of a file"});
  const std::vector<std::vector<std::string>> lines = csv_lines(files->file(kKey).text);
  if (lines.empty()) node.refuse(ErrorCode::bad_value, kKey, {"names a file without a line of titles"});
  const std::vector<std::size_t> places = places_of(node, lines.front(), features);
  std::vector<Encoder> encoders;
  for (const std::string& name : features) encoders.emplace_back(schema.at(name));
  std::vector<std::uint32_t> out;
  std::vector<std::uint32_t> levels(features.size());
  for (auto line = lines.begin() + 1; line != lines.end(); ++line) {
    const auto number = static_cast<long long>(line - lines.begin()) + 1;
    if (line->size() != lines.front().size())
      node.refuse(ErrorCode::bad_value, kKey,
                  {"names a file whose line ", public_number(number),
                   " has another number of fields than its "
                   "line of titles; mend it or leave it out"});
    for (std::size_t c = 0; c < features.size(); ++c) {
      const Diagnosis found = encoders[c].diagnose(Field((*line)[places[c]]));
      if (found.kind == FieldKind::undeclared || found.kind == FieldKind::unreadable)
        node.refuse(ErrorCode::bad_value, kKey,
                    {"names a file whose line ", public_number(number), " has in '", from_study(features[c]),
                     "' what the study declares no level for; mend it or leave it out"});
      levels[c] = found.level;
    }
    if (std::find(levels.begin(), levels.end(), kDropped) == levels.end())
      out.insert(out.end(), levels.begin(), levels.end());
  }
  if (out.empty())
    node.refuse(ErrorCode::bad_value, kKey, {"names a file without a record that the study would keep"});
  return out;
}

std::vector<std::uint32_t> read_document_rows(Node& node) {
  std::vector<std::uint32_t> out;
  for (const Rational& level : node.rationals("covariate_rows")) {
    if (level.get_den() != 1 || sgn(level) < 0 || level > kMaxLevels)
      node.refuse(ErrorCode::release_malformed, "covariate_rows", {"holds what is no level"});
    out.push_back(static_cast<std::uint32_t>(level.get_num().get_ui()));
  }
  if (out.empty()) node.refuse(ErrorCode::release_malformed, "covariate_rows", {"holds no row"});
  return out;
}

void check_rows(const Covariates& covariates, const std::vector<std::string>& features,
                const Schema& schema) {
  const std::vector<std::uint32_t>& rows = covariates.rows;
  if (rows.empty()) return;
  const StudyPlace place{{"model", kKey}};
  if (features.empty() || rows.size() % features.size() != 0)
    throw StudyError(place, ErrorCode::bad_value, {"a row of covariates is cut short"});
  const std::size_t count = rows.size() / features.size();
  if (count < kFewestRows || count > kMostCovariateRows) {
    throw StudyError(place, ErrorCode::bad_value,
                     {"public rows that stand for the features are ", public_number(kFewestRows), " to ",
                      public_number(kMostCovariateRows), ", and here are ",
                      public_number(static_cast<long long>(count)), "; take a random part of them"});
  }
  for (std::size_t at = 0; at < rows.size(); ++at) {
    if (rows[at] >= schema.at(features[at % features.size()]).levels())
      throw StudyError(place, ErrorCode::bad_value,
                       {"a row of covariates holds a level that is not declared"});
  }
}

}  // namespace postern::model
