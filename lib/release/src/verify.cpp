#include "postern/release/verify.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/model/plan.hpp"
#include "postern/release/rounds.hpp"
#include "postern/release/signature.hpp"

#include "measurement_json.hpp"

namespace postern::release {
namespace {

/// What was claimed and what was recomputed, as a check of that name.
Check compare(const char* name, bool agrees, const std::string& claimed, const std::string& recomputed) {
  if (agrees) return {name, true, claimed + ", as recomputed"};
  return {name, false, "claimed " + claimed + ", recomputed " + recomputed};
}

Check check_declarations(const Release& release) {
  model::check_study(release.study);
  return {"study", true, "the declarations agree with each other"};
}

model::Measurement measurement_of(const model::PublishedRound& round) {
  model::Measurement out;
  for (const MeasuredBlock& measured : round.blocks) out.blocks.push_back(measured.block);
  return out;
}

Check check_sensitivity(const Release& release) {
  const std::string norm = release.study.privacy.currency == Currency::pure ? "L1 " : "squared L2 ";
  const auto text = [&](const Rational& value, const std::string& method) {
    return norm + to_fraction(value) + (method.empty() ? "" : " (" + method + ")");
  };
  const std::vector<model::PublishedRound> rounds = published_rounds(release);
  std::string stated;
  std::string recomputed;
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    const Rational truth = sensitivity_of(measurement_of(rounds[r]), release.study);
    const std::string how = method_of(measurement_of(rounds[r]), release.study);
    const auto& claimed = release.rounds ? release.rounds->made[r].sensitivity : release.sensitivity;
    const bool says_how = release.sensitivity && !release.rounds;
    stated +=
        (r == 0 ? "" : "; ") + text(claimed.value_or(truth), says_how ? release.sensitivity_method : how);
    recomputed += (r == 0 ? "" : "; ") + text(truth, how);
  }
  return compare("sensitivity", stated == recomputed, stated, recomputed);
}

/// The exact cost of the noise as it is stated, rounded up to a billionth as the ledger charges it.
Check check_cost(const Release& release) {
  const Rational truth = model::cost(release.measurement(), release.study.schema, release.study.privacy);
  const Spend rounded = Spend::ceil(release.study.privacy.currency, truth);
  const std::string unit = std::string(unit_name(rounded.currency())) + " ";
  return compare("cost", release.cost == rounded, unit + release.cost.text(), unit + rounded.text());
}

/// Each round costs what it says, and all together no more than was charged.
Check check_cost_of_rounds(const Release& release) {
  const Currency currency = release.study.privacy.currency;
  Rational all = 0;
  std::string stated;
  std::string recomputed;
  const std::vector<model::PublishedRound> rounds = published_rounds(release);
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    const Rational truth = model::cost(rounds[r], release.study);
    all += truth;
    stated += (r == 0 ? "" : " + ") + release.rounds->made[r].cost.text();
    recomputed += (r == 0 ? "" : " + ") + Spend::ceil(currency, truth).text();
  }
  const std::string charged = " of " + std::string(unit_name(currency)) + " " + release.cost.text();
  const bool afforded = all <= release.cost.exact();
  return compare("cost", stated == recomputed && afforded, stated + charged,
                 recomputed + (afforded ? "" : ", which is more than was charged"));
}

std::string describe(const model::Block& block, const model::Schema& schema) {
  const std::size_t cells =
      model::statistic_size(block.statistic, schema);  // refuses a level that is not there
  const std::string out = block.statistic.kind().text(block.statistic, schema);
  return std::string(from_document(out).view()) + " (" + std::to_string(cells) +
         (cells == 1 ? " cell)" : " cells)");
}

std::string describe(const model::Measurement& measurement, const model::Schema& schema) {
  std::string out;
  for (const model::Block& block : measurement.blocks)
    out += (out.empty() ? "" : "; ") + describe(block, schema);
  return out;
}

/// What the study asks for is what was measured, cell by cell.
Check check_shape(const Release& release, const model::Measurement& wanted_all) {
  const model::Schema& schema = release.study.schema;
  const std::string measured = describe(release.measurement(), schema);
  const std::string planned = describe(wanted_all, schema);
  bool same = release.blocks.size() == wanted_all.blocks.size();
  std::size_t last = 0;  // that was compared
  for (std::size_t i = 0; same && i < release.blocks.size(); ++i) {
    const model::Block& wanted = wanted_all.blocks[i];
    last = i;
    same = to_canonical(statistic_json(release.blocks[i].block.statistic)) ==
               to_canonical(statistic_json(wanted.statistic)) &&
           release.blocks[i].block.size == wanted.size && release.blocks[i].values.size() == wanted.size;
  }
  if (!same && measured == planned) {
    return {"shape", false,
            "block " + std::to_string(last + 1) + ", " + describe(wanted_all.blocks[last], schema) +
                ", was measured with other particulars than the study and the blocks before it give: one of "
                "them was changed"};
  }
  return compare("shape", same, measured, planned);
}

std::string noise_text(const model::Measurement& measurement) {
  std::string out;
  for (const model::Block& block : measurement.blocks) {
    out += out.empty() ? "" : "; ";
    out += std::string(to_text(block.noise.kind)) + " " + to_fraction(block.noise.parameter);
  }
  return out;
}

Check check_noise(const Release& release, const model::Measurement& wanted) {
  const std::string stated = noise_text(release.measurement());
  const std::string planned = noise_text(wanted);
  return compare("noise", stated == planned, stated, planned);
}

std::string rounds_text(const std::optional<model::RoundsPlan>& plan) {
  if (!plan) return "one measurement";
  return "at most " + std::to_string(plan->at_most) + " rounds by rule " +
         std::string(from_document(plan->rule).view());
}

/// The rule of the rounds is the one of the study's model.
Check check_rounds(const Release& release) {
  const auto stated = release.rounds ? std::optional(release.rounds->plan) : std::nullopt;
  const auto wanted = model::make_noise_plan(release.study, release.request, release.cost).rounds;
  return compare("rounds", stated == wanted, rounds_text(stated), rounds_text(wanted));
}

Check check_count(const Release& release) {
  const auto bound = release.study.privacy.n_at_most;
  if (const auto* n = std::get_if<PublicCount>(&release.n)) {
    return {"n", !bound,
            "public, " + std::to_string(n->value) + (bound ? ": but under add-remove n is private" : "")};
  }
  const std::int64_t at_most = std::get<PrivateCount>(release.n).at_most;
  return {
      "n", bound == at_most,
      "private, at most " + std::to_string(at_most) + (bound == at_most ? "" : ": not what the study says")};
}

Check check_counting(const Release& release) {
  return {"counted-by", true,
          release.counted_by_caller ? "the caller: bounding and encoding of records are the caller's word"
                                    : "postern, from records"};
}

/// Members of a later version that a reader may ignore: said, so that nothing rides along unseen.
Check check_members(const Release& release) {
  if (release.extensions.empty()) return {"members", true, "all known to this version"};
  return {"members", true,
          "ignored, not known to this version: " + std::string(from_document(release.extensions).view())};
}

Check check_signature(const Release& release) {
  if (!release.signature) return {"signature", true, "absent: who wrote the document is not shown"};
  const bool holds = signature_holds(release);
  return {"signature", holds,
          holds ? "ed25519 key " + release.signature->key_id + "; compare it with the owner's"
                : "does not hold: the document was changed after it was signed"};
}

/// A check that cannot even be made has failed, and says why.
template <class Work>
Check attempt(const char* name, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    return {name, false, error.what()};
  }
}

}  // namespace

std::vector<Check> verify(const Release& release) {
  if (release.foreign) {
    return {
        attempt("study", [&] { return check_declarations(release); }),
        {"noise", false, "made elsewhere: what noise was added, and what it cost, cannot be verified here"}};
  }
  const bool in_rounds =
      release.rounds.has_value() || release.study.model.kind().round_rule(release.study, release.request);
  const auto planned = [&] {
    return in_rounds ? replayed(release)
                     : model::make_noise_plan(release.study, release.request, release.cost).measurement;
  };
  std::vector<Check> checks{
      attempt("study", [&] { return check_declarations(release); }),
      attempt("sensitivity", [&] { return check_sensitivity(release); }),
      attempt("cost", [&] { return release.rounds ? check_cost_of_rounds(release) : check_cost(release); }),
      attempt("shape", [&] { return check_shape(release, planned()); }),
      attempt("noise", [&] { return check_noise(release, planned()); }),
      check_count(release),
      check_counting(release),
      check_members(release),
      attempt("signature", [&] { return check_signature(release); })};
  if (in_rounds) checks.push_back(attempt("rounds", [&] { return check_rounds(release); }));
  return checks;
}

Check verify_key(const Release& release, const std::string& public_key_pem) {
  const std::string wanted = public_key_digits(public_key_pem);
  if (!release.signature) return {"key", false, "the document is not signed"};
  if (release.signature->public_key != wanted)
    return {"key", false, "signed with another key, " + release.signature->key_id};
  const bool holds = signature_holds(release);
  return {"key", holds,
          holds ? "signed with this very key" : "the document was changed after it was signed with this key"};
}

bool all_passed(const std::vector<Check>& checks) {
  return std::all_of(checks.begin(), checks.end(), [](const Check& check) { return check.passed; });
}

}  // namespace postern::release
