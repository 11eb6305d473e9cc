package dev.berth.cel.check;

import dev.berth.cel.value.CelType;
import dev.berth.cel.value.CelType.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the type parameters of the functions that were called so far stand for, and whether one type
 * can be given where another is wanted, which may decide more of them.
 */
final class TypeMapping {
  private Map<String, CelType> types = new HashMap<>();

  /** Whether it can be assigned; nothing is decided if not. */
  boolean isAssignable(CelType to, CelType from) {
    return isAssignable(List.of(to), List.of(from));
  }

  boolean isAssignable(List<CelType> to, List<CelType> from) {
    Map<String, CelType> before = types;
    types = new HashMap<>(before);
    if (assignAll(to, from)) {
      return true;
    }
    types = before;
    return false;
  }

  private boolean assignAll(List<CelType> to, List<CelType> from) {
    if (to.size() != from.size()) {
      return false;
    }
    for (int i = 0; i < to.size(); i++) {
      if (!assign(to.get(i), from.get(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean assign(CelType a, CelType b) {
    if (b.kind() == Kind.TYPE_PARAM) {
      Boolean decided = substituteParameter(a, b);
      if (decided != null) {
        return decided;
      }
    }
    if (a.kind() == Kind.TYPE_PARAM) {
      Boolean decided = substituteParameter(b, a);
      return decided != null && decided;
    }
    if (a.isDynOrError() || b.isDynOrError()) {
      return true;
    }
    if (a.kind() == Kind.NULL) {
      return b.kind() == Kind.NULL || isNullable(b);
    }
    if (b.kind() == Kind.NULL) {
      return isNullable(a);
    }
    return switch (a.kind()) {
      case TYPE -> b.kind() == Kind.TYPE;
      case OPAQUE, LIST, MAP ->
          a.kind() == b.kind()
              && a.name().equals(b.name())
              && assignAll(a.parameters(), b.parameters());
      default -> a.isSame(b);
    };
  }

  private static boolean isNullable(CelType type) {
    return switch (type.kind()) {
      case OPAQUE, STRUCT, DURATION, TIMESTAMP -> true;
      default -> false;
    };
  }

  /** Whether a parameter can stand for a type; null if it cannot and stands for nothing yet. */
  private @Nullable Boolean substituteParameter(CelType type, CelType parameter) {
    if (type.isSame(parameter)) {
      return true;
    }
    CelType known = types.get(parameter.name());
    if (known != null) {
      if (type.isSame(known)) {
        return true;
      }
      if (!assign(type, known)) {
        return false;
      }
      CelType general = mostGeneral(type, known);
      if (!refersTo(parameter, general)) {
        types.put(parameter.name(), general);
      }
      return true;
    }
    if (!refersTo(parameter, type)) {
      types.put(parameter.name(), type);
      return true;
    }
    return null;
  }

  static CelType mostGeneral(CelType a, CelType b) {
    return isEqualOrLessSpecific(a, b) ? a : b;
  }

  private static boolean isEqualOrLessSpecific(CelType a, CelType b) {
    if (a.isDyn() || a.kind() == Kind.TYPE_PARAM) {
      return true;
    }
    if (b.isDyn() || b.kind() == Kind.TYPE_PARAM) {
      return false;
    }
    if (a.kind() != b.kind()) {
      return false;
    }
    return switch (a.kind()) {
      case OPAQUE, LIST, MAP -> {
        boolean all = a.name().equals(b.name()) && a.parameters().size() == b.parameters().size();
        for (int i = 0; all && i < a.parameters().size(); i++) {
          all = isEqualOrLessSpecific(a.parameter(i), b.parameter(i));
        }
        yield all;
      }
      case TYPE -> true;
      default -> a.isSame(b);
    };
  }

  private boolean refersTo(CelType parameter, CelType within) {
    if (parameter.isSame(within)) {
      return true;
    }
    if (within.kind() == Kind.TYPE_PARAM) {
      CelType known = types.get(within.name());
      return known != null && refersTo(parameter, known);
    }
    return within.parameters().stream().anyMatch(part -> refersTo(parameter, part));
  }

  /** A type with all parameters that are decided replaced, and the others too if so asked. */
  CelType substitute(CelType type, boolean parametersToDyn) {
    if (type.kind() == Kind.TYPE_PARAM) {
      CelType known = types.get(type.name());
      if (known != null) {
        return substitute(known, parametersToDyn);
      }
      return parametersToDyn ? CelType.DYN : type;
    }
    if (type.parameters().isEmpty()) {
      return type;
    }
    return type.withParameters(
        type.parameters().stream().map(part -> substitute(part, parametersToDyn)).toList());
  }
}
