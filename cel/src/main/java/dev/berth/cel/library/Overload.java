package dev.berth.cel.library;

import dev.berth.cel.value.CelType;
import dev.berth.cel.value.Values;
import java.util.List;

/**
 * One form of a function.
 *
 * @param member whether its first argument is written before the dot
 */
public record Overload(
    String id, boolean member, List<CelType> args, CelType result, Implementation code) {

  /** What a call does. It is only asked with arguments of the declared types. */
  public interface Implementation {
    Object call(Object[] args);
  }

  static Overload of(String id, CelType result, Implementation code, CelType... args) {
    return new Overload(id, false, List.of(args), result, code);
  }

  static Overload member(String id, CelType result, Implementation code, CelType... args) {
    return new Overload(id, true, List.of(args), result, code);
  }

  /** Whether values are of the types that this overload takes. */
  public boolean takes(Object[] values) {
    if (values.length != args.size()) {
      return false;
    }
    for (int i = 0; i < values.length; i++) {
      if (!Values.isOfType(values[i], args.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether its types hold for all types of something. */
  public boolean isGeneric() {
    return args.stream().anyMatch(Overload::hasParameter) || hasParameter(result);
  }

  private static boolean hasParameter(CelType type) {
    return type.kind() == CelType.Kind.TYPE_PARAM
        || type.parameters().stream().anyMatch(Overload::hasParameter);
  }
}
