#include "postern/model/study.hpp"

#include <algorithm>

#include "postern/core/error.hpp"

namespace postern::model {
namespace {

void check_name(const std::string& name, bool of_dataset) {
  const auto legal = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  if (!name.empty() && name.size() <= 128 && std::all_of(name.begin(), name.end(), legal)) return;
  if (of_dataset) {
    throw Error(ErrorCode::bad_value,
                {"`dataset` is '", from_study(name), "'; use 1 to 128 letters, digits, '-', '_' or '.'"});
  }
  throw Error(ErrorCode::bad_value,
              {"`name` is '", from_study(name), "'; use 1 to 128 letters, digits, '-', '_' or '.'"});
}

}  // namespace

void check_study(const Study& study) {
  check_name(study.name, false);
  check_name(study.dataset, true);
  check_policy(study.privacy);
  if (const auto* person = std::get_if<PersonUnit>(&study.privacy.unit)) {
    if (study.schema.find(person->column)) {
      throw Error(ErrorCode::bad_value, {"the unit's column '", from_study(person->column),
                                         "' names people and has no declared values; remove [columns.",
                                         from_study(person->column), "]"});
    }
  }
  if (study.privacy.adjacency == Adjacency::replace_one) {
    for (const Column& column : study.schema.columns()) {
      if (std::holds_alternative<Drop>(column.missing) || std::holds_alternative<Drop>(column.outside)) {
        throw Error(ErrorCode::bad_value, {"column '", from_study(column.name),
                                           "' drops records, which changes n, and n is public under "
                                           "\"replace-one\"; map to a declared value"});
      }
    }
  }
  check_model(study.model, study.schema);
}

}  // namespace postern::model
