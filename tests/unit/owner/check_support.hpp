#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "postern/model/kinds/table.hpp"
#include "postern/model/study.hpp"
#include "postern/owner/check.hpp"

#include "csv_support.hpp"

namespace postern::owner {

/// A study whose model reads every column, with people if they are asked for.
inline model::Study study_of(const model::Schema& schema,
                             std::optional<std::int64_t> at_most = std::nullopt) {
  model::Study study;
  study.schema = schema;
  study.model = model::Categorical{names_of(schema), {}};
  if (at_most) study.privacy.unit = model::PersonUnit{"id", *at_most};
  return study;
}

inline RecordsCheck check_content(const std::string& content, const model::Study& study) {
  const TemporaryFile file(content);
  return check_records(file.path(), {}, study, 1);
}

/// The names of remarks and how often each was made.
inline std::vector<std::pair<std::string, std::int64_t>> names_in(const std::vector<CheckRemark>& remarks) {
  std::vector<std::pair<std::string, std::int64_t>> names;
  for (const CheckRemark& remark : remarks) names.emplace_back(remark.name, remark.count);
  return names;
}

inline std::string repeated(const std::string& line, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += line;
  return out;
}

}  // namespace postern::owner
