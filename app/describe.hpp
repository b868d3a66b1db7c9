#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "postern/core/warning.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study.hpp"
#include "postern/release/release.hpp"

#include "json_out.hpp"
#include "text.hpp"

namespace postern::app {

// Public facts in words, the same in every command.

[[nodiscard]] std::string model_text(const model::Model& model, const model::Schema& schema);
/// Of a model that its release chooses: what was chosen.
[[nodiscard]] std::string chosen_model_text(const release::Release& release);
[[nodiscard]] std::string policy_text(const model::PrivacyPolicy& privacy);
/// The same, where it is known what a person's bound counts: records, or transitions of a sequence.
[[nodiscard]] std::string policy_text(const model::Study& study);
[[nodiscard]] std::string block_text(const model::Statistic& statistic, const model::Schema& schema);
/// "lambda = 1/2" or "sigma^2 = 4"
[[nodiscard]] std::string noise_text(const model::Noise& noise);
[[nodiscard]] std::string spend_text(const Spend& spend);                ///< "epsilon 0.1"
[[nodiscard]] std::string count_text(const release::CountStatement& n);  ///< "5,000 (public)"

/// Where the grid of a planned draw lies, by what power the likelihood is tempered, and the range R of its
/// scores with epsilon = tau R; nothing for other plans.
[[nodiscard]] std::optional<std::string> grid_text(const model::Study& study, const model::NoisePlan& plan);

/// What a release chose among candidates, such as quantiles; nothing for others.
[[nodiscard]] Facts chosen_facts(const release::Release& release);

/// "warning [n-above-bound]: ...", a paragraph each.
[[nodiscard]] std::string warning_lines(const std::vector<Warning>& warnings);

[[nodiscard]] Json policy_json(const model::PrivacyPolicy& privacy);
[[nodiscard]] Json spend_json(const Spend& spend);
[[nodiscard]] Json warnings_json(const std::vector<Warning>& warnings);
[[nodiscard]] Json count_json(const release::CountStatement& n);

}  // namespace postern::app
