package dev.berth.registry.apply;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.apply.Structure.Struct;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds what keeps an applied configuration from being merged: fields that its type does not have,
 * objects and lists that are none, and elements that cannot be told apart. Scalars are left to
 * validation.
 */
final class AppliedCheck {
  private final List<String> warnings = new ArrayList<>();

  private AppliedCheck() {}

  /** What is wrong, in one text; empty if nothing is. */
  static Optional<String> warning(JsonObject applied, Structure structure) {
    AppliedCheck check = new AppliedCheck();
    check.check(applied, structure, "");
    return switch (check.warnings.size()) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(check.warnings.getFirst());
      default -> Optional.of("errors:\n  " + String.join("\n  ", check.warnings));
    };
  }

  private void check(Object value, Structure structure, String path) {
    boolean anythingGoes =
        structure instanceof Structure.Leaf || structure instanceof Structure.Deduced;
    if (value == JsonNull.NULL || anythingGoes || warnings.size() >= JsonLimits.MOST_ODDITIES) {
      return;
    }
    if (structure instanceof Structure.Atomic(Structure content)) {
      check(value, content, path);
    } else if (structure instanceof Structure.PlainList(Structure element)) {
      if (value instanceof JsonArray list) {
        for (int i = 0; i < list.size(); i++) {
          check(list.get(i), element, path + "[" + i + "]");
        }
      } else {
        warnings.add(path + ": expected list, got " + value);
      }
    } else if (ObjectFields.isGranularList(structure)) {
      if (value instanceof JsonArray list) {
        checkItems(list, structure, path);
      } else {
        warnings.add(path + ": expected list, got " + value);
      }
    } else if (value instanceof JsonObject object) {
      object.forEach((name, child) -> checkField(child, structure, name, path + "." + name));
    } else {
      warnings.add(path + ": expected map, got " + value);
    }
  }

  private void checkField(Object value, Structure structure, String name, String path) {
    if (structure instanceof Struct struct && !struct.isOpen() && struct.field(name) == null) {
      warnings.add(path + ": field not declared in schema");
    } else {
      check(value, ObjectFields.child(structure, name), path);
    }
  }

  private void checkItems(JsonArray list, Structure structure, String path) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < list.size(); i++) {
      Object item = list.get(i);
      Optional<String> warning = Elements.warning(structure, item);
      if (warning.isPresent()) {
        warnings.add(path + ": element " + i + ": " + warning.get());
        continue;
      }
      String element = Elements.item(structure, item);
      if (!seen.add(element)) {
        warnings.add(path + ": duplicate entries for key " + Elements.text(element));
      }
      check(item, ObjectFields.child(structure), path + Elements.text(element));
    }
  }
}
