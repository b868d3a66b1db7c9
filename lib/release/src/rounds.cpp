#include "postern/release/rounds.hpp"

#include <iterator>
#include <span>

#include "postern/model/settles.hpp"

namespace postern::release {

std::vector<model::PublishedRound> published_rounds(const Release& release) {
  const std::span<const MeasuredBlock> all = release.blocks;
  if (!release.rounds) return {{all, {}}};
  std::vector<model::PublishedRound> out;
  std::size_t begin = 0;
  for (const Round& round : release.rounds->made) {
    out.push_back({all.subspan(begin, round.blocks), round.table});
    begin += round.blocks;
  }
  return out;
}

void add_round(Release& release, std::vector<MeasuredBlock> blocks) {
  Round round;
  round.blocks = blocks.size();
  round.cost = Spend::ceil(release.cost.currency(), model::cost({blocks, {}}, release.study));
  release.blocks.insert(release.blocks.end(), std::make_move_iterator(blocks.begin()),
                        std::make_move_iterator(blocks.end()));
  release.rounds->made.push_back(std::move(round));
}

Release settled(Release release) {
  const model::RoundRule* rule = release.study.model.kind().round_rule(release.study, release.request);
  if (const auto* settles = dynamic_cast<const model::SettlesModel*>(rule))
    release.study.model = settles->settled(release.study, published_rounds(release));
  return release;
}

model::Measurement replayed(const Release& release) {
  const std::vector<model::PublishedRound> rounds = published_rounds(release);
  model::Measurement all;
  for (std::size_t r = 0; r <= rounds.size(); ++r) {
    const auto next =
        model::next_round(release.study, release.request, release.cost, std::span(rounds).first(r));
    if (!next) break;
    all.blocks.insert(all.blocks.end(), next->blocks.begin(), next->blocks.end());
  }
  return all;
}

}  // namespace postern::release
