#include "postern/model/sequences.hpp"
#include "postern/model/study.hpp"
#include "postern/owner/contribution.hpp"

#include "cmac.hpp"

namespace postern::owner {
namespace {

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

BoundingKey::BoundingKey(Entropy& entropy) {
  entropy.fill(of_ids_);
  entropy.fill(of_records_);
}

BoundingKey::~BoundingKey() {
  wipe(of_ids_.data(), of_ids_.size());
  wipe(of_records_.data(), of_records_.size());
}

std::optional<ContributionBound> contribution_bound(const model::Unit& unit) {
  const auto* person = std::get_if<model::PersonUnit>(&unit);
  if (person == nullptr) return std::nullopt;
  Entropy entropy;
  return ContributionBound{person->column, person->at_most, std::make_shared<const BoundingKey>(entropy)};
}

std::optional<ContributionBound> contribution_bound(const model::Study& study) {
  std::optional<ContributionBound> out = contribution_bound(study.privacy.unit);
  if (out) out->ordered_by = model::ordered_by(study.model);
  return out;
}

PersonDigester::PersonDigester(const BoundingKey& key) : cmac_(std::make_unique<BatchedCmac>(key.of_ids_)) {}
PersonDigester::PersonDigester(PersonDigester&&) noexcept = default;
PersonDigester::~PersonDigester() = default;

void PersonDigester::digest(std::span<const PersonId> ids, std::span<PersonDigest> digests) {
  trimmed_.resize(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) trimmed_[i] = trim(ids[i].bytes_);
  cmac_->digest(trimmed_, digests);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (trimmed_[i].empty()) digests[i] = kNobody;
  }
}

}  // namespace postern::owner
