#include "postern/model/policy.hpp"

#include "postern/model/study_error.hpp"

namespace postern::model {

std::string_view to_text(Adjacency adjacency) {
  return adjacency == Adjacency::add_remove ? "add-remove" : "replace-one";
}

std::optional<Adjacency> parse_adjacency(std::string_view text) {
  if (text == "add-remove") return Adjacency::add_remove;
  if (text == "replace-one") return Adjacency::replace_one;
  return std::nullopt;
}

std::int64_t records_per_unit(const Unit& unit) {
  const auto* person = std::get_if<PersonUnit>(&unit);
  return person == nullptr ? 1 : person->at_most;
}

void check_policy(const PrivacyPolicy& policy) {
  const bool add_remove = policy.adjacency == Adjacency::add_remove;
  if (const auto* person = std::get_if<PersonUnit>(&policy.unit)) {
    if (!add_remove) {
      throw StudyError({{"privacy", "unit"}}, ErrorCode::bad_value,
                       {"a unit larger than a record needs adjacency = \"add-remove\": a "
                        "person's number of records is private"});
    }
    if (person->at_most < 1 || person->at_most > 1'000'000) {
      throw StudyError({{"privacy", "unit", "at_most"}}, ErrorCode::bad_value,
                       {"`at_most` of the unit must lie in 1..1000000"});
    }
  }
  if (add_remove && !policy.n_at_most) {
    throw StudyError({{"privacy", "adjacency"}}, ErrorCode::missing_key,
                     {"adjacency = \"add-remove\" keeps n private, so the study must "
                      "bound it: add n = { at_most = 100000 } to [privacy]"});
  }
  if (!add_remove && policy.n_at_most) {
    throw StudyError(
        {{"privacy", "n"}}, ErrorCode::bad_value,
        {"with adjacency = \"replace-one\" n is public; remove n = { at_most = ... } from [privacy]"});
  }
  if (policy.n_at_most && (*policy.n_at_most < 1 || *policy.n_at_most > 1'000'000'000'000)) {
    throw StudyError({{"privacy", "n", "at_most"}}, ErrorCode::bad_value,
                     {"n = { at_most } must lie in 1..10^12"});
  }
}

}  // namespace postern::model
