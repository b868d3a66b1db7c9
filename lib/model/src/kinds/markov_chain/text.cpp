#include "kinds/markov_chain/text.hpp"

#include "postern/model/statistic/transitions.hpp"

#include "kinds/checks.hpp"
#include "kinds/learned.hpp"

namespace postern::model {

MarkovChain read_markov_chain(Node& node, const Schema& schema) {
  node.allow({"kind", "state", "time", "idle", "parts", "prior"});
  MarkovChain chain;
  chain.state = node.text("state");
  chain.time = node.text("time");
  const Column& column = named_column(chain.state, schema);
  chain.states = column.levels();
  if (node.has("idle")) chain.idle = node.level("idle", column);
  if (node.states_all() || node.has("parts")) chain.parts = node.integer("parts", 1, kMostParts);
  if (states_numbers(node)) {
    const std::unique_ptr<Node> prior = node.inner("prior");
    prior->allow({"dirichlet"});
    chain.alpha = prior->rational("dirichlet");
    prior->finish();
  }
  return chain;
}

JsonValue write_markov_chain(const MarkovChain& chain) {
  JsonObject out{{"kind", json_text("markov-chain")},
                 {"parts", json_integer(chain.parts)},
                 {"prior", chain.learned ? json_text(kLearned)
                                         : json_object({{"dirichlet", json_rational(chain.alpha)}})},
                 {"state", json_text(chain.state)},
                 {"time", json_text(chain.time)}};
  if (chain.idle) out.push_back({"idle", json_integer(*chain.idle)});
  return json_object(std::move(out));
}

}  // namespace postern::model
