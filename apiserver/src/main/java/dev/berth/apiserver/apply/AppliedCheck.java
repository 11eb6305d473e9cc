package dev.berth.apiserver.apply;

import dev.berth.apiserver.apply.Structure.Struct;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
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
  private final List<String> complaints = new ArrayList<>();

  private AppliedCheck() {}

  /** What is wrong, in one text; empty if nothing is. */
  static Optional<String> complaint(JsonObject applied, Structure structure) {
    AppliedCheck check = new AppliedCheck();
    check.check(applied, structure, "");
    return switch (check.complaints.size()) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(check.complaints.getFirst());
      default -> Optional.of("errors:\n  " + String.join("\n  ", check.complaints));
    };
  }

  private void check(Object value, Structure structure, String path) {
    if (value == JsonNull.NULL || structure instanceof Structure.Leaf) {
      return;
    }
    if (ObjectFields.isGranularList(structure)) {
      if (value instanceof JsonArray list) {
        checkItems(list, structure, path);
      } else {
        complaints.add(path + ": expected list, got " + value);
      }
    } else if (value instanceof JsonObject object) {
      object.forEach((name, child) -> checkField(child, structure, name, path + "." + name));
    } else if (!(structure instanceof Structure.Deduced)) {
      complaints.add(path + ": expected map, got " + value);
    }
  }

  private void checkField(Object value, Structure structure, String name, String path) {
    if (structure instanceof Struct struct && !struct.isOpen() && struct.field(name) == null) {
      complaints.add(path + ": field not declared in schema");
    } else {
      check(value, ObjectFields.child(structure, name), path);
    }
  }

  private void checkItems(JsonArray list, Structure structure, String path) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < list.size(); i++) {
      Object item = list.get(i);
      Optional<String> complaint = Elements.complaint(structure, item);
      if (complaint.isPresent()) {
        complaints.add(path + ": element " + i + ": " + complaint.get());
        continue;
      }
      String element = Elements.item(structure, item);
      if (!seen.add(element)) {
        complaints.add(path + ": duplicate entries for key " + Elements.text(element));
      }
      check(item, ObjectFields.child(structure), path + Elements.text(element));
    }
  }
}
