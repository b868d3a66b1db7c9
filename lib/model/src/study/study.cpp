#include "postern/model/study.hpp"

#include <algorithm>

#include "postern/model/study_error.hpp"

namespace postern::model {
namespace {

void check_name(const char* key, const std::string& name) {
  const auto legal = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  if (!name.empty() && name.size() <= 128 && std::all_of(name.begin(), name.end(), legal)) return;
  throw StudyError(
      {{key}}, ErrorCode::bad_value,
      {"`", from_study(key), "` is '", from_study(name), "'; use 1 to 128 letters, digits, '-', '_' or '.'"});
}

}  // namespace

void check_study(const Study& study) {
  check_name("name", study.name);
  check_name("dataset", study.dataset);
  check_policy(study.privacy);
  if (const auto* person = std::get_if<PersonUnit>(&study.privacy.unit)) {
    if (study.schema.find(person->column)) {
      throw StudyError(
          {{"columns", person->column}}, ErrorCode::bad_value,
          {"the unit's column '", from_study(person->column),
           "' names people and has no declared values; remove [columns.", from_study(person->column), "]"});
    }
  }
  if (study.privacy.adjacency == Adjacency::replace_one) {
    for (const Column& column : study.schema.columns()) {
      if (std::holds_alternative<Drop>(column.missing) || std::holds_alternative<Drop>(column.outside)) {
        const bool missing = std::holds_alternative<Drop>(column.missing) && column.missing_declared;
        throw StudyError({{"columns", column.name, missing ? "missing" : "outside"}}, ErrorCode::bad_value,
                         {"column '", from_study(column.name),
                          "' drops records, which changes n, and n is public under "
                          "\"replace-one\"; map to a declared value, or declare \"add-remove\""});
      }
    }
  }
  study.model.kind().check(study.model, study.schema);
}

}  // namespace postern::model
