#pragma once

#include <functional>
#include <vector>

#include "postern/model/rounds.hpp"
#include "postern/release/release.hpp"

namespace postern::release {

/// Makes the public integers that later rounds depend on from what the rounds so far published. It may
/// compute as it likes, in doubles and at random: what it returns is written into the document, and nobody
/// needs to compute it again.
using Fit = std::function<std::vector<Int128>(const Release& so_far)>;

/// The rounds of a release as a rule sees them: one, of all blocks, where it was not made in rounds. They
/// look into the release, which must outlive them. @pre the rounds' numbers of blocks add up
[[nodiscard]] std::vector<model::PublishedRound> published_rounds(const Release& release);

/// Adds a round of these blocks to a release that is made in rounds.
void add_round(Release& release, std::vector<MeasuredBlock> blocks);

/// The release with the model that its rounds chose in place of one that leaves the choice to them, for those
/// who analyse it. As it is where nothing was chosen. Throws release_inconsistent.
[[nodiscard]] Release settled(Release release);

/// What the study's rule measures in all rounds, given what the document says was published in each; one
/// round more than it has where the rule does not end there. Throws where there is no such rule.
[[nodiscard]] model::Measurement replayed(const Release& release);

}  // namespace postern::release
