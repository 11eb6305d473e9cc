package dev.berth.policy.taint;

import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.core.WellKnownTaints;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Whether a toleration matches a taint. It does when all of these hold:
 *
 * <ol>
 *   <li>Its effect is the taint's, or it has none, which means every effect.
 *   <li>Its key is the taint's, or it has none, which means every key. With no key, the operator
 *       must be {@code Exists}; validation sees to that, and this function insists on it, where
 *       upstream would let {@code Equal} match every key by the value alone.
 *   <li>Its operator is {@code Exists}; or {@code Equal}, the default, and the values are equal; or
 *       {@code Gt} and the taint's value is the greater, or {@code Lt} and it is the lesser. The
 *       last two need the gate {@code TaintTolerationComparisonOperators} and compare integers of
 *       64 bits in their plain form: {@code 007}, {@code +7} and {@code 7.0} match nothing.
 * </ol>
 *
 * <p>The keys of older documents still work in tolerations. {@code
 * node.alpha.kubernetes.io/unreachable} and {@code node.alpha.kubernetes.io/notReady} also tolerate
 * the taints that have since replaced them. {@code node.kubernetes.io/out-of-disk} also tolerates
 * {@code node.kubernetes.io/disk-pressure}, because the condition it stood for was folded into that
 * one. Upstream has forgotten all three.
 *
 * @param comparisonOperators whether the gate {@code TaintTolerationComparisonOperators} is on
 */
public record TolerationRules(boolean comparisonOperators) {
  /** The rules while the gate is off. */
  public static final TolerationRules STANDARD = new TolerationRules(false);

  /** The rules while the gate is on. */
  public static final TolerationRules WITH_COMPARISONS = new TolerationRules(true);

  private static final Pattern PLAIN_INTEGER = Pattern.compile("0|-?[1-9][0-9]{0,18}");

  public boolean tolerates(Toleration toleration, Taint taint) {
    return effectFits(toleration, taint.effect())
        && keyFits(toleration, taint.key())
        && valueFits(toleration, taint.value());
  }

  /** Whether any of a pod's tolerations matches a taint. */
  public boolean tolerates(List<Toleration> tolerations, Taint taint) {
    for (Toleration toleration : tolerations) {
      if (tolerates(toleration, taint)) {
        return true;
      }
    }
    return false;
  }

  static boolean effectFits(Toleration toleration, TaintEffect effect) {
    return effect != TaintEffect.UNKNOWN
        && (toleration.effect() == null || toleration.effect() == effect);
  }

  /** Whether a toleration is about a key at all, whatever its operator makes of the value. */
  static boolean isAbout(Toleration toleration, String key) {
    return toleration.key().isEmpty()
        || toleration.key().equals(key)
        || WellKnownTaints.modern(toleration.key()).equals(key);
  }

  private static boolean keyFits(Toleration toleration, String key) {
    return switch (toleration.operator()) {
      case EXISTS -> isAbout(toleration, key);
      case EQUAL, GT, LT -> !toleration.key().isEmpty() && isAbout(toleration, key);
      case UNKNOWN -> false;
    };
  }

  private boolean valueFits(Toleration toleration, String value) {
    return switch (toleration.operator()) {
      case EXISTS -> true;
      case EQUAL -> toleration.value().equals(value);
      case GT -> comparisonOperators && compare(value, toleration.value(), 1);
      case LT -> comparisonOperators && compare(value, toleration.value(), -1);
      case UNKNOWN -> false;
    };
  }

  private static boolean compare(String taintValue, String tolerationValue, int wanted) {
    OptionalLong taint = integer(taintValue);
    OptionalLong toleration = integer(tolerationValue);
    return taint.isPresent()
        && toleration.isPresent()
        && Long.compare(taint.getAsLong(), toleration.getAsLong()) == wanted;
  }

  /** An integer in its plain form, if it fits into 64 bits. */
  static OptionalLong integer(String text) {
    if (!PLAIN_INTEGER.matcher(text).matches()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
