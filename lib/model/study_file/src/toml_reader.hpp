#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "postern/core/error.hpp"
#include "postern/core/number_text.hpp"
#include "postern/model/study_error.hpp"

namespace postern::model {

/// One TOML table of a study, read with the study's rules: unknown keys are refused with the nearest known
/// one, bare floats are refused with the text to write instead, and every refusal names file, line and
/// column. toml++ stays behind toml_reader.cpp.
class TomlTable {
 public:
  TomlTable(const void* table, const std::string* file, std::string path);

  void allow(std::span<const std::string_view> known) const;  ///< refuses any other key
  void allow(std::initializer_list<std::string_view> known) const {
    allow(std::span<const std::string_view>(known.begin(), known.size()));
  }
  [[nodiscard]] std::vector<std::string> keys() const;  ///< in the order of the file
  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] bool is_table(std::string_view key) const;
  [[nodiscard]] bool is_array(std::string_view key) const;
  [[nodiscard]] bool is_text(std::string_view key) const;

  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] bool truth(std::string_view key) const;
  [[nodiscard]] std::int64_t integer(std::string_view key) const;
  [[nodiscard]] Rational decimal(std::string_view key) const;  ///< an integer, or decimal text in quotes
  [[nodiscard]] TomlTable table(std::string_view key) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view key) const;
  /// `count` = 0: any length of at least one.
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view key, std::size_t count = 0) const;
  [[nodiscard]] std::vector<Rational> decimals(std::string_view key, std::size_t count = 0) const;
  /// [["4", "1"], ["1", "9"]]: rows x width numbers, row by row.
  [[nodiscard]] std::vector<Rational> decimal_rows(std::string_view key, std::size_t rows,
                                                   std::size_t width) const;
  /// [["a", "b"], ["b", "c"]]: any number of rows, none too, of `width` texts.
  [[nodiscard]] std::vector<std::vector<std::string>> text_rows(std::string_view key,
                                                                std::size_t width) const;

  // Of releases made elsewhere, whose values are floats (toml_floats.cpp).

  /// [[key]]: one table or more.
  [[nodiscard]] std::vector<TomlTable> tables(std::string_view key) const;
  /// As `decimal`, and a float, taken for the shortest decimal that reads back as it.
  [[nodiscard]] Rational number(std::string_view key) const;
  /// Such numbers, or `absent` in quotes.
  [[nodiscard]] std::vector<std::optional<Rational>> numbers_or(std::string_view key,
                                                                std::string_view absent) const;

  [[noreturn]] void refuse(ErrorCode code, std::string_view key, const PublicText& text) const {
    throw refusal(code, key, text);
  }
  [[nodiscard]] const std::string& file() const { return *file_; }
  [[nodiscard]] Error refusal(ErrorCode code, std::string_view key, const PublicText& text) const;

 private:
  friend class TomlDocument;
  const void* table_;  ///< toml::table, owned by the document
  const std::string* file_;
  std::string path_;  ///< "columns.age", for messages
};

class TomlDocument {
 public:
  TomlDocument(std::string_view text, std::string_view file_name);
  ~TomlDocument();
  TomlDocument(const TomlDocument&) = delete;
  TomlDocument& operator=(const TomlDocument&) = delete;
  [[nodiscard]] TomlTable root() const;
  /// Runs `make`; an error gets its place in the file put before its text: its own if it knows one, else that
  /// of `key` in `table`.
  template <class Make>
  auto located(Make make, const TomlTable& table, std::string_view key) const {
    try {
      return make();
    } catch (const StudyError& error) {
      refuse(error);
    } catch (const Error& error) {
      place(error, table, key);
    }
  }

 private:
  [[noreturn]] void refuse(const StudyError& error) const;
  [[noreturn]] void place(const Error& error, const TomlTable& table, std::string_view key) const;
  struct Parsed;
  std::unique_ptr<const Parsed> parsed_;
};

}  // namespace postern::model
