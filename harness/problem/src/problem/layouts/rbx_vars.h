// The variables of a problem of rbx, for its sources that include `rbx.h`. rejudge writes the values.
#ifndef _RBX_H
#define _RBX_H
#include <cstdint>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace rbx {

// The value of the last argument `--group`; empty if there is none.
inline const std::string &getGroup() {
  static const std::string group = [] {
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::string argument, found;
    bool is_next = false;
    std::getline(file, argument, '\0');
    while (std::getline(file, argument, '\0')) {
      if (is_next) {
        found = argument;
      } else if (argument.compare(0, 8, "--group=") == 0) {
        found = argument.substr(8);
      }
      is_next = !is_next && argument == "--group";
    }
    return found;
  }();
  return group;
}

} // namespace rbx

inline std::optional<std::string> getStringVar(const std::string &name) {
//STRINGS
  return std::nullopt;
}

inline std::optional<int64_t> getIntVar(const std::string &name) {
//INTEGERS
  return std::nullopt;
}

inline std::optional<float> getFloatVar(const std::string &name) {
//NUMBERS
  return std::nullopt;
}

inline std::optional<bool> getBoolVar(const std::string &name) {
//FLAGS
  return std::nullopt;
}

// `getVar<int>("N.max")` and `getVar<int>("N", "max")` are the same.
template <typename T, typename... Parts>
T getVar(const std::string &first, const Parts &...parts) {
  std::string name = first;
  auto join = [&name](const std::string &part) {
    name += (name.empty() || part.empty() ? "" : ".") + part;
  };
  (join(parts), ...);
  auto missing = [&name](const char *kind) {
    return std::runtime_error("the variable " + name + " is missing or is not " + kind);
  };
  if constexpr (std::is_same_v<T, bool>) {
    if (auto value = getBoolVar(name)) return *value;
    if (auto value = getIntVar(name)) return *value != 0;
    throw missing("a boolean");
  } else if constexpr (std::is_integral_v<T>) {
    auto value = getIntVar(name);
    if (!value) throw missing("an integer");
    T converted = static_cast<T>(*value);
    if (static_cast<int64_t>(converted) != *value) {
      throw std::runtime_error("the variable " + name + " does not fit its type");
    }
    return converted;
  } else if constexpr (std::is_floating_point_v<T>) {
    if (auto value = getFloatVar(name)) return static_cast<T>(*value);
    if (auto value = getIntVar(name)) return static_cast<T>(*value);
    throw missing("a number");
  } else {
    static_assert(std::is_same_v<T, std::string>, "getVar: a number, bool or std::string");
    if (auto value = getStringVar(name)) return *value;
    if (auto value = getIntVar(name)) return std::to_string(*value);
    if (auto value = getFloatVar(name)) return std::to_string(*value);
    throw missing("a text");
  }
}

#endif
