// Compares the output of a solution with the answer. Made by `rejudge export` from the problem's checker: @RULE@.
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

enum Rule { EXACT, TOKENS, LINES, TRIMMED_LINES };

static const Rule rule = @NAME@;
static const bool case_sensitive = @CASE@;
static const bool space_sensitive = @SPACE@;
// Tolerances; below zero: none.
static const long double absolute_tolerance = @ABSOLUTE@;
static const long double relative_tolerance = @RELATIVE@;

static std::string text_of(std::istream& in) {
    return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_decimal(const std::string& word) {
    size_t at = 0, digits = 0;
    if (at < word.size() && (word[at] == '+' || word[at] == '-')) at++;
    while (at < word.size() && is_digit(word[at])) at++, digits++;
    if (at < word.size() && word[at] == '.') {
        at++;
        while (at < word.size() && is_digit(word[at])) at++, digits++;
    }
    if (digits == 0) return false;
    if (at < word.size() && (word[at] == 'e' || word[at] == 'E')) {
        at++;
        if (at < word.size() && (word[at] == '+' || word[at] == '-')) at++;
        size_t start = at;
        while (at < word.size() && is_digit(word[at])) at++;
        if (at == start) return false;
    }
    return at == word.size();
}

static bool same_word(const std::string& output, const std::string& answer) {
    if ((absolute_tolerance >= 0 || relative_tolerance >= 0) && is_decimal(answer)) {
        if (!is_decimal(output)) return false;
        long double a = std::strtold(answer.c_str(), nullptr), b = std::strtold(output.c_str(), nullptr);
        long double apart = std::fabs(a - b);
        return (absolute_tolerance >= 0 && apart <= absolute_tolerance) ||
               (relative_tolerance >= 0 && apart <= relative_tolerance * std::fabs(a));
    }
    if (output.size() != answer.size()) return false;
    for (size_t i = 0; i < answer.size(); i++) {
        unsigned char a = answer[i], b = output[i];
        if (a == b) continue;
        if (case_sensitive || a >= 128 || b >= 128 || std::tolower(a) != std::tolower(b)) return false;
    }
    return true;
}

// The words, with the blanks between them if these count.
static std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    for (size_t at = 0; at < text.size();) {
        size_t start = at;
        bool blank = is_blank(text[at]);
        while (at < text.size() && is_blank(text[at]) == blank) at++;
        if (!blank || space_sensitive) words.push_back(text.substr(start, at - start));
    }
    return words;
}

static bool same_words(const std::string& output, const std::string& answer) {
    std::vector<std::string> mine = words_of(output), theirs = words_of(answer);
    if (mine.size() != theirs.size()) return false;
    for (size_t i = 0; i < mine.size(); i++) {
        bool blank = is_blank(theirs[i][0]) || is_blank(mine[i][0]);
        if (blank ? mine[i] != theirs[i] : !same_word(mine[i], theirs[i])) return false;
    }
    return true;
}

static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines(1);
    for (char c : text) {
        if (c == '\n') lines.push_back("");
        else lines.back().push_back(c);
    }
    bool trimmed = rule == TRIMMED_LINES;
    for (std::string& line : lines) {
        if (!trimmed && !line.empty() && line.back() == '\r') line.pop_back();
        while (trimmed && !line.empty() && is_blank(line.back())) line.pop_back();
    }
    if (lines.back().empty()) lines.pop_back();
    while (trimmed && !lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
}

static bool same(const std::string& output, const std::string& answer) {
    switch (rule) {
    case EXACT: return output == answer;
    case TOKENS: return same_words(output, answer);
    default: return lines_of(output) == lines_of(answer);
    }
}

@MAIN@
