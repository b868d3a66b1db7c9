#pragma once

#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// Does a release among them hold choices, as posterior-draw and map make them?
[[nodiscard]] bool holds_choices(const std::vector<release::RecordSet>& sets);

/// All cells of all tables that a release of choices chose, in the order of the model's parameters: one list
/// a draw.
[[nodiscard]] std::vector<std::vector<double>> chosen_tables(const release::Release& release);

/// The tables that one such release chose, as they are: one draw, and no interval, since how far it is from
/// the truth cannot be told from it. Throws engine_unsuitable for several releases, bad_option where the
/// prior is replaced or public rows are to be added.
[[nodiscard]] Posterior infer_grid_draw(const std::vector<release::RecordSet>& sets,
                                        const InferOptions& options);

}  // namespace postern::infer
