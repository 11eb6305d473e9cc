package dev.berth.controllers.selected;

import dev.berth.model.selector.LabelRequirement;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Selectors by one label that they ask for, so that of many only a few are compared with a pod.
 *
 * @param <T> whose selectors they are
 */
final class SelectorIndex<T> {
  private final Map<Label, List<Entry<T>>> byLabel = new HashMap<>();
  private final List<Entry<T>> others = new ArrayList<>();

  private record Label(String key, String value) {}

  private record Entry<T>(LabelSelector selector, T owner) {}

  /** A label that whatever the selector selects must have, if it names one. */
  private static Optional<Label> asksFor(LabelSelector selector) {
    for (LabelRequirement requirement : selector.requirements()) {
      Optional<String> value = selector.exactValue(requirement.key());
      if (value.isPresent()) {
        return Optional.of(new Label(requirement.key(), value.get()));
      }
    }
    return Optional.empty();
  }

  void add(LabelSelector selector, T owner) {
    if (!selector.selectsNothing()) {
      asksFor(selector)
          .map(label -> byLabel.computeIfAbsent(label, _ -> new ArrayList<>()))
          .orElse(others)
          .add(new Entry<>(selector, owner));
    }
  }

  void remove(LabelSelector selector, T owner) {
    Optional<Label> label = asksFor(selector);
    List<Entry<T>> home = label.map(l -> byLabel.getOrDefault(l, List.of())).orElse(others);
    home.removeIf(entry -> entry.owner().equals(owner));
    if (home.isEmpty()) {
      label.ifPresent(byLabel::remove);
    }
  }

  /** Whose selectors select an object with these labels. */
  List<T> matching(JsonObject labels) {
    List<T> found = new ArrayList<>();
    collect(others, labels, found);
    if (!byLabel.isEmpty()) {
      for (int i = 0; i < labels.size(); i++) {
        if (labels.value(i) instanceof String value) {
          collect(byLabel.getOrDefault(new Label(labels.name(i), value), List.of()), labels, found);
        }
      }
    }
    return found.isEmpty() ? List.of() : List.copyOf(found);
  }

  private static <T> void collect(List<Entry<T>> entries, JsonObject labels, List<T> found) {
    for (Entry<T> entry : entries) {
      if (entry.selector().matches(labels)) {
        found.add(entry.owner());
      }
    }
  }
}
