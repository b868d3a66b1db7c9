#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/model/study.hpp"

#include "kinds/checks.hpp"
#include "kinds/learned.hpp"

namespace postern::model {
namespace {

std::vector<std::string> study_kinds() {
  std::vector<std::string> words;
  for (const Kind* kind : kinds()) {
    const std::string word = "kind = \"" + std::string(kind->study_kind()) + "\"";
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
  return words;
}

const Kind& kind_named(Node& node) {
  const std::string word = node.text("kind");
  const auto all = kinds();
  const auto same = [&](const Kind* kind) { return kind->study_kind() == word; };
  const auto first = std::find_if(all.begin(), all.end(), same);
  if (first == all.end()) {
    node.refuse(ErrorCode::unsupported, "kind",
                {"model kind '", from_study(word), "' is not available in this version; it has ",
                 quote(joined(study_kinds(), " and "), 400)});
  }
  if ((*first)->families().empty()) return **first;
  const std::string family = node.text("family");
  for (const Kind* kind : all) {
    const std::vector<std::string> families = kind->families();
    if (same(kind) && std::find(families.begin(), families.end(), family) != families.end()) return *kind;
  }
  node.refuse(ErrorCode::unsupported, "family",
              {"family '", from_study(family), "' is not available in this version; it has ",
               quote(all_families(), 400)});
}

/// Refused, if it is, where the node says so.
Model with_stated_learned_prior(const Model& model, Node& node) {
  try {
    return model.kind().with_learned_prior(model);
  } catch (const Error& error) {
    node.refuse(error.code(), "prior", {quote(error.what(), 400)});
  }
}

}  // namespace

std::string all_families() {
  std::vector<std::string> names;
  for (const Kind* kind : kinds()) {
    const std::vector<std::string> families = kind->families();
    names.insert(names.end(), families.begin(), families.end());
  }
  return joined(names, ", ");
}

Model read_model(Node& node, const Schema& schema) {
  const Kind& kind = kind_named(node);
  const bool learned = says_learned(node);
  Model out = kind.read(node, schema);
  node.finish();
  if (learned) return with_stated_learned_prior(out, node);
  const Kind& read = out.kind();  // one word may stand for several kinds
  const bool by_default = node.learns_priors() && !node.has("prior") && read.takes_learned_prior(out);
  return by_default ? read.with_learned_prior(out) : out;
}

std::string_view to_text(Mechanism mechanism) {
  switch (mechanism) {
    case Mechanism::laplace:
      return "laplace";
    case Mechanism::gaussian:
      return "gaussian";
    case Mechanism::exponential:
      return "exponential";
    case Mechanism::fourier:
      return "fourier";
    case Mechanism::posterior_draw:
      return "posterior-draw";
    case Mechanism::map:
      return "map";
    case Mechanism::gradient:
      return "gradient";
  }
  return {};
}

std::vector<Mechanism> Kind::mechanisms(const Study& study) const {
  return {study.privacy.currency == Currency::pure ? Mechanism::laplace : Mechanism::gaussian};
}

const RoundRule* Kind::round_rule(const Study& /*study*/, const Request& /*request*/) const {
  return nullptr;
}

bool Kind::takes_learned_prior(const Model& /*model*/) const { return false; }

bool Kind::learned_prior(const Model& /*model*/) const { return false; }

Model Kind::with_learned_prior(const Model& model) const {
  throw Error(ErrorCode::bad_prior, {"a ", from_study(family(model)),
                                     " has no learned prior; leave `prior` out, or state it by numbers"});
}

std::vector<std::string> Kind::notes(const Model& /*model*/) const { return {}; }

std::vector<std::string> Kind::advice(const Study& /*study*/, const NoisePlan& /*plan*/,
                                      std::optional<std::int64_t> /*n*/) const {
  return {};
}

}  // namespace postern::model
