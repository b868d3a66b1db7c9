#include "postern/release/record_set.hpp"

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"

#include "study_json.hpp"

namespace postern::release {
namespace {

[[noreturn]] void conflict(const Release& a, const Release& b, Piece why) {
  throw Error(ErrorCode::releases_conflict, {name_of(a), " and ", name_of(b), " cannot be combined: ", why});
}

/// The parts of a study that must agree, as canonical text.
struct Agreement {
  std::string model;     ///< family and columns
  std::string prior;     ///< and prior
  std::string levels;    ///< declared values of the model's columns
  std::string encoding;  ///< and what becomes of fields that fit none of them

  explicit Agreement(const model::Study& study) : prior(to_canonical(model_json(study.model))) {
    model = to_canonical(model_json(study.model.kind().without_prior(study.model)));
    JsonArray values;
    JsonArray columns;
    for (const std::string& name : model::columns_of(study.model)) {
      values.push_back(values_json(study.schema.at(name).values));
      columns.push_back(column_json(study.schema.at(name)));
    }
    levels = to_canonical(json_array(std::move(values)));
    encoding = to_canonical(json_array(std::move(columns)));
  }
};

bool same_count(const CountStatement& a, const CountStatement& b) {
  const auto* public_a = std::get_if<PublicCount>(&a);
  const auto* public_b = std::get_if<PublicCount>(&b);
  if ((public_a == nullptr) != (public_b == nullptr)) return false;
  if (public_a != nullptr) return public_a->value == public_b->value;
  return std::get<PrivateCount>(a).at_most == std::get<PrivateCount>(b).at_most;
}

/// What any two releases of one posterior share: the parameter they speak about.
void check_same_model(const Release& a, const Release& b, Priors priors) {
  const Agreement left(a.study);
  const Agreement right(b.study);
  if (left.model != right.model) conflict(a, b, "their models differ; infer from each alone");
  if (left.levels != right.levels)
    conflict(a, b, "the model's columns declare other values; infer from each alone");
  if (a.study.privacy.adjacency != b.study.privacy.adjacency)
    conflict(a, b, "their adjacency differs; infer from each alone");
  if (priors == Priors::must_agree && left.prior != right.prior) {
    conflict(a, b, "their priors differ; state the prior to use");
  }
}

/// What two releases of one record set share besides: the latent statistic itself.
void check_same_records(const Release& a, const Release& b) {
  if (a.study.dataset != b.study.dataset)
    conflict(a, b, "they name one record set and two datasets; one of them was edited");
  if (Agreement(a.study).encoding != Agreement(b.study).encoding) {
    conflict(a, b,
             "their studies treat missing or outside values of the same records differently; infer from each "
             "alone");
  }
  const bool chosen_by_us = !a.counted_by_caller || !b.counted_by_caller;
  if (std::holds_alternative<model::PersonUnit>(a.study.privacy.unit) && chosen_by_us) {
    conflict(
        a, b,
        "each chose anew which records of a person count, so they are not of the same records; infer from "
        "each alone");
  }
  if (!same_count(a.n, b.n))
    conflict(a, b, "they state different n for the same records; one of them was edited");
}

}  // namespace

namespace {

/// Nobody can say which records a release made elsewhere shares with others unless it is declared.
void check_named_records(std::span<const Release> releases) {
  if (releases.size() < 2 || mutant(91)) return;
  for (const Release& release : releases) {
    if (!release.foreign || release.foreign->record_set) continue;
    const Release& other = &release == releases.data() ? releases[1] : releases[0];
    conflict(release, other,
             "the first was made elsewhere and names no record_set, so nobody can say whether they share "
             "records; state record_set under [foreign], or infer from it alone");
  }
}

}  // namespace

std::vector<RecordSet> group_by_records(std::span<const Release> releases, Priors priors) {
  check_named_records(releases);
  std::vector<RecordSet> groups;
  for (const Release& release : releases) {
    RecordSet* home = nullptr;
    for (RecordSet& group : groups) {
      for (const Release* other : group) {
        if (other->release_id == release.release_id)
          conflict(*other, release, "they are the same release; give it once");
      }
      const Release& first = *group.front();
      check_same_model(first, release, priors);
      if (first.ledger.record_set == release.ledger.record_set) {
        check_same_records(first, release);
        home = &group;
      } else if (first.study.dataset == release.study.dataset) {
        conflict(first, release,
                 "they come from one dataset before and after its records changed, and nobody can say which "
                 "records they share; use the later one");
      }
    }
    if (home == nullptr) home = &groups.emplace_back();
    home->push_back(&release);
  }
  return groups;
}

}  // namespace postern::release
