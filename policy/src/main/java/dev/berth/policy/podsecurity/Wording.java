package dev.berth.policy.podsecurity;

import java.util.Collection;
import java.util.List;

/** How upstream lists what it found. */
final class Wording {
  private Wording() {}

  static String quoted(Collection<String> items) {
    return items.isEmpty() ? "" : "\"" + String.join("\", \"", items) + "\"";
  }

  static String plural(String one, String several, Collection<String> items) {
    return items.size() == 1 ? one : several;
  }

  /** {@code container "a"}, {@code containers "a", "b"}. */
  static String containers(Collection<String> names) {
    return plural("container", "containers", names) + " " + quoted(names);
  }

  /** Who set something: the pod, containers of it, or both. */
  static String setters(boolean pod, List<String> containers) {
    if (containers.isEmpty()) {
      return "pod";
    }
    return (pod ? "pod and " : "") + containers(containers);
  }
}
