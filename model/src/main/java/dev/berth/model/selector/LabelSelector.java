package dev.berth.model.selector;

import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which objects are meant, by their labels: those that meet every requirement. Immutable.
 *
 * <p>A selector without requirements means every object, {@link #NOTHING} means none. In an object
 * the first is {@code {}} and the second is no selector at all.
 */
public final class LabelSelector {
  public static final LabelSelector EVERYTHING = new LabelSelector(List.of());
  public static final LabelSelector NOTHING = new LabelSelector(null);

  /** Ordered by key; null if no object is meant. */
  private final @Nullable List<LabelRequirement> requirements;

  private LabelSelector(@Nullable List<LabelRequirement> requirements) {
    this.requirements = requirements;
  }

  public static LabelSelector of(List<LabelRequirement> requirements) {
    return requirements.isEmpty()
        ? EVERYTHING
        : new LabelSelector(
            requirements.stream().sorted(Comparator.comparing(LabelRequirement::key)).toList());
  }

  /** Objects that have all these labels, as the selector of a service or a node. */
  public static LabelSelector ofLabels(Map<String, String> labels) {
    return of(labels.entrySet().stream().map(e -> equal(e.getKey(), e.getValue())).toList());
  }

  /** Objects that have all these labels, read from a tree. */
  public static LabelSelector ofLabels(JsonObject labels) {
    List<LabelRequirement> requirements = new ArrayList<>();
    for (String key : labels.names()) {
      requirements.add(equal(key, labels.text(key, "")));
    }
    return of(requirements);
  }

  private static LabelRequirement equal(String key, String value) {
    return new LabelRequirement(key, LabelOperator.EQUALS, List.of(value));
  }

  /**
   * Reads the string form: {@code a=b,c!=d,e in (x,y),!f,g>5}.
   *
   * @throws SelectorException if the text is no selector
   */
  public static LabelSelector parse(String text) {
    return of(new LabelSelectorParser(text).requirements());
  }

  /**
   * Reads the object form, with {@code matchLabels} and {@code matchExpressions}; {@link
   * LabelSelectorForm} checks one with messages for users.
   *
   * @param selector a selector in a tree, or null if there is none
   * @throws SelectorException if the selector is not a valid one
   */
  public static LabelSelector fromTree(@Nullable Object selector) {
    return switch (selector) {
      case null -> NOTHING;
      case JsonNull _ -> NOTHING;
      case JsonObject object -> LabelSelectorForm.read(object);
      case Object other -> throw new SelectorException("a label selector is an object: " + other);
    };
  }

  public boolean matches(Labels labels) {
    if (requirements == null) {
      return false;
    }
    for (LabelRequirement requirement : requirements) {
      if (!requirement.matches(labels)) {
        return false;
      }
    }
    return true;
  }

  public boolean matches(Map<String, String> labels) {
    return matches((Labels) labels::get);
  }

  /** Matches the labels of a tree in place. */
  public boolean matches(JsonObject labels) {
    return matches((Labels) key -> labels.get(key) instanceof String value ? value : null);
  }

  public boolean selectsEverything() {
    return requirements != null && requirements.isEmpty();
  }

  /**
   * Whether no object can match because there is no selector; contradictions are not looked for.
   */
  public boolean selectsNothing() {
    return requirements == null;
  }

  /** The requirements in the order of their keys; none for both extremes. */
  public List<LabelRequirement> requirements() {
    return requirements == null ? List.of() : requirements;
  }

  /** The one value a label must have, if the selector says so; lets a caller use an index. */
  public Optional<String> exactValue(String key) {
    return requirements().stream()
        .filter(r -> r.key().equals(key) && r.values().size() == 1)
        .filter(r ->
            switch (r.operator()) {
              case EQUALS, DOUBLE_EQUALS, IN -> true;
              case NOT_IN, NOT_EQUALS, GREATER_THAN, LESS_THAN, EXISTS, DOES_NOT_EXIST -> false;
            })
        .findFirst()
        .map(r -> r.values().getFirst());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LabelSelector that && Objects.equals(requirements, that.requirements);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(requirements);
  }

  /** The string form, requirements in the order of their keys; empty for both extremes. */
  @Override
  public String toString() {
    return requirements().stream().map(LabelRequirement::toString).collect(Collectors.joining(","));
  }
}
