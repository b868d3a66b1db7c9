#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "postern/model/encode.hpp"
#include "postern/owner/coded_table.hpp"
#include "postern/owner/contribution.hpp"

#include "scan.hpp"

namespace postern::owner {

/// What to read from every line.
struct RowPlan {
  char delimiter = ',';                    ///< between fields
  std::size_t fields = 0;                  ///< in a good line
  std::vector<std::size_t> places;         ///< of the wanted fields
  std::vector<model::Encoder> encoders;    ///< one for each
  std::optional<std::size_t> id_place;     ///< of the field that says whose record it is
  std::shared_ptr<const BoundingKey> key;  ///< if there is one
};

/// Turns blocks of lines into columns of levels. Each line is one record, whatever it holds: a line with the
/// wrong number of fields, an open quote, a NUL, bytes that are not UTF-8 or too many bytes is a record all
/// of whose fields are missing, its id among them.
class RowEncoder {
 public:
  explicit RowEncoder(const RowPlan& plan);
  /// Adds the lines of a block. Doubled quotes in it are undone in place.
  void add(char* memory, std::span<char> block);
  [[nodiscard]] std::vector<CodedColumn>& columns() { return columns_; }
  /// Whose records the rows are, if the plan has a place for ids.
  [[nodiscard]] Wiped<PersonDigest>& people() { return people_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }

 private:
  /// Plain lines are encoded a block at a time, careful ones (quotes that hide delimiters or quotes) one by
  /// one.
  enum class Verdict { plain, careful, bad };
  struct Line {
    std::size_t start = 0;
    std::size_t end = 0;        // without the end of line
    std::size_t first_odd = 0;  // its odd bytes are [first_odd, last_odd) of the marks
    std::size_t last_odd = 0;
    bool counted = false;  // it has the right number of delimiters
  };
  struct Aside {
    std::size_t row = 0;
    bool bad = false;  // otherwise its levels are the next in aside_levels_
  };

  void find_rows(char* memory, std::size_t begin);
  [[nodiscard]] Verdict judge(const char* memory, const Line& line) const;
  [[nodiscard]] bool has_neat_quotes(const char* memory, const Line& line) const;
  void set_aside(char* memory, const Line& line, std::size_t row, Verdict verdict);
  void encode_plain_rows(const char* memory);
  void encode_asides();
  void digest_ids(const char* memory);
  [[nodiscard]] std::size_t keep_copies();
  template <class Code>
  void keep_copies(Wiped<Code>& column, std::size_t total);

  const RowPlan& plan_;
  bool may_drop_ = false;
  std::vector<CodedColumn> columns_;
  std::optional<PersonDigester> digester_;
  Wiped<PersonDigest> people_;
  std::size_t rows_ = 0;  // in columns_, without those of the current block

  // The current block.
  Marks marks_;
  std::vector<std::uint32_t> starts_;  // of its rows, as in model::FieldBlock
  std::vector<std::uint32_t> firsts_;
  std::vector<std::uint8_t> copies_;  // how often each row counts: 0 when dropped
  std::vector<Aside> asides_;
  Wiped<std::uint32_t> aside_levels_;
  std::vector<PersonId> aside_ids_;  // one for each of asides_
  std::vector<PersonId> ids_;
  std::vector<std::string_view> split_;
};

}  // namespace postern::owner
