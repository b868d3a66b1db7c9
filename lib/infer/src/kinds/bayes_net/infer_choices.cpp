#include "infer_choices.hpp"

#include <string>
#include <utility>

#include "postern/core/printable.hpp"
#include "postern/model/study.hpp"
#include "postern/release/choice.hpp"

#include "grid_draw.hpp"
#include "network/infer_network.hpp"
#include "network/make_problem.hpp"

namespace postern::infer {
namespace {

Warning ignored_warning(const release::Release& release) {
  const std::vector<std::string> ignored = release::ignored_choices(release, {});
  const std::string others =
      ignored.size() == 1 ? std::string() : ", and " + std::to_string(ignored.size() - 1) + " others like it";
  return {"ignored-choices",
          printable(ignored.front()) + others +
              ": they are too many to weigh, and the posterior is that of the other releases"};
}

}  // namespace

Posterior infer_choices(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                        const Conversation& conversation) {
  const model::Study& study = sets.front().front()->study;
  if (options.engine == EngineChoice::naive) return infer_grid_draw(sets, options);
  if (options.engine != EngineChoice::automatic || sets.size() > 1 ||
      tables_engine_takes(make_network_problem(study, sets.front(), options), options))
    return infer_network(study, sets, options, conversation);
  release::RecordSet rest;
  std::vector<Warning> ignored;
  for (const release::Release* release : sets.front()) {
    if (holds_choices({{release}})) {
      ignored.push_back(ignored_warning(*release));
    } else {
      rest.push_back(release);
    }
  }
  if (rest.empty()) return infer_grid_draw(sets, options);
  Posterior out = infer_network(study, {rest}, options, conversation);
  out.warnings.insert(out.warnings.end(), ignored.begin(), ignored.end());
  return out;
}

}  // namespace postern::infer
