package dev.berth.cel.library;

import static dev.berth.cel.library.Overload.member;
import static dev.berth.cel.value.CelType.BOOL;
import static dev.berth.cel.value.CelType.INT;
import static dev.berth.cel.value.CelType.STRING;

import dev.berth.cel.value.CelException;
import dev.berth.cel.value.CelType;

/** Semantic versions. */
final class SemverFunctions {
  private static final CelType SEMVER = Semver.TYPE;

  private SemverFunctions() {}

  static void addTo(FunctionTable table) {
    table.addType(SEMVER);
    table.add(
        "semver",
        Overload.of("string_to_semver", SEMVER, args -> Semver.parse((String) args[0]), STRING),
        Overload.of(
            "string_bool_to_semver",
            SEMVER,
            args -> parse((String) args[0], (Boolean) args[1]),
            STRING,
            BOOL));
    table.add(
        "isSemver",
        Overload.of("is_semver_string", BOOL, args -> isSemver((String) args[0], false), STRING),
        Overload.of(
            "is_semver_string_bool",
            BOOL,
            args -> isSemver((String) args[0], (Boolean) args[1]),
            STRING,
            BOOL));
    table.add(
        "isGreaterThan",
        member(
            "semver_is_greater_than",
            BOOL,
            args -> version(args, 0).compareTo(version(args, 1)) > 0,
            SEMVER,
            SEMVER));
    table.add(
        "isLessThan",
        member(
            "semver_is_less_than",
            BOOL,
            args -> version(args, 0).compareTo(version(args, 1)) < 0,
            SEMVER,
            SEMVER));
    table.add(
        "compareTo",
        member(
            "semver_compare_to",
            INT,
            args -> (long) Integer.signum(version(args, 0).compareTo(version(args, 1))),
            SEMVER,
            SEMVER));
    table.add("major", member("semver_major", INT, args -> version(args, 0).major(), SEMVER));
    table.add("minor", member("semver_minor", INT, args -> version(args, 0).minor(), SEMVER));
    table.add("patch", member("semver_patch", INT, args -> version(args, 0).patch(), SEMVER));
  }

  private static Semver version(Object[] args, int index) {
    return (Semver) args[index];
  }

  private static Semver parse(String text, boolean leniently) {
    return leniently ? Semver.parseLeniently(text) : Semver.parse(text);
  }

  private static boolean isSemver(String text, boolean leniently) {
    try {
      parse(text, leniently);
      return true;
    } catch (CelException e) {
      return false;
    }
  }
}
