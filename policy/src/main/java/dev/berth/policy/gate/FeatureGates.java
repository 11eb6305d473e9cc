package dev.berth.policy.gate;

import dev.berth.policy.taint.TolerationRules;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which gates are on. Written as {@code A=true,B=false}, as upstream:
 *
 * <ol>
 *   <li>What is not named is as by default.
 *   <li>Of a gate that is named twice, the last word counts.
 *   <li>{@code AllAlpha} speaks for all alpha features that are not named themselves, wherever it
 *       stands. {@code AllBeta} does so for beta features, of which there are none here.
 *   <li>A name may begin with {@code kube:}, the component that upstream's gates belong to.
 *   <li>True and false may be written as Go's programs let you: {@code 1, t, T, TRUE, true, True}
 *       and likewise.
 * </ol>
 */
public record FeatureGates(Set<FeatureGate> on) {
  private static final String COMPONENT = "kube:";
  private static final String ALL_ALPHA = "AllAlpha";
  private static final String ALL_BETA = "AllBeta";
  private static final Set<String> TRUE = Set.of("1", "t", "T", "TRUE", "true", "True");
  private static final Set<String> FALSE = Set.of("0", "f", "F", "FALSE", "false", "False");

  /** What is on unless somebody says otherwise. */
  public static final FeatureGates DEFAULT = new FeatureGates(defaults());

  public FeatureGates {
    on = Set.copyOf(on);
  }

  /** What a text says. */
  public sealed interface Parsed {
    record Valid(FeatureGates gates) implements Parsed {}

    /** No gate has this name. */
    record Unknown(String name) implements Parsed {}

    /**
     * A gate is neither true nor false.
     *
     * @param value empty if there is none
     */
    record BadValue(String name, String value) implements Parsed {}
  }

  public static Parsed parse(String text) {
    Map<FeatureGate, Boolean> said = new EnumMap<>(FeatureGate.class);
    Optional<Boolean> allAlpha = Optional.empty();
    for (String part : text.split(",", -1)) {
      String setting = part.strip();
      if (setting.isEmpty()) {
        continue;
      }
      int equals = setting.indexOf('=');
      String name = (equals < 0 ? setting : setting.substring(0, equals)).strip();
      name = name.startsWith(COMPONENT) ? name.substring(COMPONENT.length()) : name;
      Optional<FeatureGate> gate = FeatureGate.of(name);
      if (gate.isEmpty() && !name.equals(ALL_ALPHA) && !name.equals(ALL_BETA)) {
        return new Parsed.Unknown(name);
      }
      String value = equals < 0 ? "" : setting.substring(equals + 1).strip();
      if (!TRUE.contains(value) && !FALSE.contains(value)) {
        return new Parsed.BadValue(name, value);
      }
      boolean wanted = TRUE.contains(value);
      gate.ifPresent(g -> said.put(g, wanted));
      allAlpha = name.equals(ALL_ALPHA) ? Optional.of(wanted) : allAlpha;
    }
    return new Parsed.Valid(new FeatureGates(chosen(said, allAlpha)));
  }

  private static Set<FeatureGate> chosen(
      Map<FeatureGate, Boolean> said, Optional<Boolean> allAlpha) {
    Set<FeatureGate> on = EnumSet.noneOf(FeatureGate.class);
    for (FeatureGate gate : FeatureGate.values()) {
      boolean otherwise = gate.isAlpha() ? allAlpha.orElse(gate.onByDefault()) : gate.onByDefault();
      if (said.getOrDefault(gate, otherwise)) {
        on.add(gate);
      }
    }
    return on;
  }

  private static Set<FeatureGate> defaults() {
    return chosen(Map.of(), Optional.empty());
  }

  /** All names that can be said, each with what it is if nobody does, and what it does. */
  public static List<String> known() {
    List<String> known = new ArrayList<>();
    known.add(ALL_ALPHA + "=true|false (default: false)");
    known.add(ALL_BETA + "=true|false (default: false)");
    for (FeatureGate gate : FeatureGate.values()) {
      known.add(
          "%s=true|false (default: %s): %s"
              .formatted(gate.word(), gate.onByDefault(), gate.does()));
    }
    return known;
  }

  public boolean isOn(FeatureGate gate) {
    return on.contains(gate);
  }

  /** What tolerations may say while these gates are on. */
  public TolerationRules tolerations() {
    return isOn(FeatureGate.TAINT_TOLERATION_COMPARISON_OPERATORS)
        ? TolerationRules.WITH_COMPARISONS
        : TolerationRules.STANDARD;
  }
}
