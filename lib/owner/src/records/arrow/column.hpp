#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "postern/model/encode.hpp"

#include "array.hpp"
#include "real.hpp"
#include "text.hpp"
#include "type.hpp"
#include "whole.hpp"

namespace postern::owner {

/// How the values of one Arrow type become codes of one column: levels, or model::kDropped.
class ArrowColumn {
 public:
  /// The column must outlive this. @pre readable(column, type)
  ArrowColumn(const model::Column& column, const ArrowType& type);
  [[nodiscard]] const model::Encoder& encoder() const { return *encoder_; }

  /// One array, ready to be read row by row.
  struct Prepared {
    ArrowRows rows;
    std::optional<ArrowRows> dictionary;
    /// Of the dictionary, filled up with missing to a power of two; empty: it is longer than its use.
    std::vector<std::uint32_t> dictionary_codes;
  };
  /// Rows [begin, begin + count) of an array; nothing if it breaks the interface.
  [[nodiscard]] std::optional<Prepared> prepare(const ArrowArray* array, std::int64_t begin,
                                                std::int64_t count) const;
  /// The codes of some of its rows. Total.
  void encode(const Prepared& prepared, std::size_t begin, std::size_t count, std::uint32_t* codes) const;
  /// The same for indices of a known dictionary in a column that drops no record, without the way by codes;
  /// false, and nothing done, for anything else.
  template <class Level>
  [[nodiscard]] bool look_up_levels(const Prepared& prepared, std::size_t begin, std::size_t count,
                                    Level* levels) const;

 private:
  void encode_values(const ArrowRows& rows, std::size_t begin, std::size_t count, std::uint32_t* codes) const;
  void encode_look_ups(const Prepared& prepared, std::size_t begin, std::size_t count,
                       std::uint32_t* codes) const;
  void encode_reals(const ArrowRows& rows, std::size_t begin, std::size_t count, std::uint32_t* codes) const;
  void set_missing(const ArrowRows& rows, std::size_t begin, std::size_t count, std::uint32_t* codes) const;
  /// Shorter floats are widened first.
  [[nodiscard]] std::uint32_t code_of_real(double value) const;

  std::unique_ptr<const model::Encoder> encoder_;  // the codes below hold references to it
  ArrowType type_;
  std::uint32_t truth_codes_[2] = {0, 0};  // of false and true
  std::optional<WholeCodes> wholes_;
  std::optional<RealCodes> reals_;  // none: a column of categories, read as text
  std::optional<TextCodes> texts_;
};

/// The labels that false and true stand for, if the column declares such a pair; a number's are 0 and 1.
[[nodiscard]] std::optional<std::pair<std::string, std::string>> truth_labels(const model::Column& column);

}  // namespace postern::owner
