#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"

#include "latent_tables.hpp"

namespace postern::infer {

/// Draws levels of some variables of a clique in proportion to how many records have them, given the levels
/// that the other variables already have in `record`, whatever those of `hidden` variables are. The tables
/// must outlive this.
class LevelDraw {
 public:
  LevelDraw(const LatentTables& tables, std::size_t clique, graph::Variables fresh,
            const graph::Variables& hidden);
  /// False, and nothing drawn, if no record has the given levels.
  bool draw(std::span<const std::int64_t> counts, std::span<std::uint32_t> record, Rng& rng) const;

 private:
  struct Given {
    std::uint32_t variable = 0;
    std::size_t stride = 0;
  };
  [[nodiscard]] std::int64_t records(const std::int64_t* row, std::size_t combination) const {
    if (hidden_.size() == 1) return row[combination];
    std::int64_t sum = 0;
    for (const std::size_t h : hidden_) sum += row[combination + h];
    return sum;
  }

  std::size_t offset_ = 0;
  const LatentTables::Table* all_ =
      nullptr;  ///< over the given variables, if there is one and none is hidden
  std::vector<Given> given_;
  graph::Variables fresh_;
  std::vector<std::uint32_t> sizes_;       ///< of the fresh variables
  std::vector<std::size_t> combinations_;  ///< of fresh levels: where they are, from those given
  std::vector<std::size_t> hidden_;        ///< of hidden levels, from those
};

/// Offsets of all combinations of levels of some variables of a table, row-major in the order given.
[[nodiscard]] std::vector<std::size_t> combinations(const LatentTables::Table& table,
                                                    std::span<const std::uint32_t> variables,
                                                    std::span<const std::uint32_t> sizes);
/// The stride of a variable. @pre the table holds it
[[nodiscard]] std::size_t stride_of(const LatentTables::Table& table, std::uint32_t variable);

}  // namespace postern::infer
