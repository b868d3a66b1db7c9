#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace postern {

/// Text whose origin is public. Made only by the named functions below.
class Quotation {
 public:
  [[nodiscard]] std::string_view view() const { return text_; }

 private:
  friend Quotation quote(std::string_view, std::size_t);
  explicit Quotation(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

/// Quotes public text as valid UTF-8: control characters and bytes that are not UTF-8 are escaped, and
/// anything past `limit` bytes is cut, between characters.
[[nodiscard]] Quotation quote(std::string_view text, std::size_t limit);

// The places public text may come from. The name at the call site says why it is public.
[[nodiscard]] inline Quotation from_study(std::string_view text) { return quote(text, 80); }
[[nodiscard]] inline Quotation from_option(std::string_view text) { return quote(text, 200); }
[[nodiscard]] inline Quotation from_header(std::string_view text) { return quote(text, 80); }
[[nodiscard]] inline Quotation from_document(std::string_view text) { return quote(text, 80); }

[[nodiscard]] inline Quotation public_number(long long value) { return quote(std::to_string(value), 24); }

/// One piece of a public sentence: a literal of our own, or a quotation. There is deliberately no way in for
/// the bytes of a record (model::Field converts to nothing), nor for a string of unstated origin.
class Piece {
 public:
  consteval Piece(const char* literal) : text_(literal) {}        // NOLINT(*-explicit-*)
  Piece(const Quotation& quotation) : text_(quotation.view()) {}  // NOLINT(*-explicit-*)
  [[nodiscard]] std::string_view view() const { return text_; }

 private:
  std::string_view text_;
};

/// A sentence that may be shown to anyone. Built only from Pieces.
class PublicText {
 public:
  PublicText() = default;
  PublicText(std::initializer_list<Piece> pieces) {
    for (const Piece& piece : pieces) text_ += piece.view();
  }
  [[nodiscard]] const std::string& str() const { return text_; }

 private:
  std::string text_;
};

}  // namespace postern
