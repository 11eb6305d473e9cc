package dev.berth.customresources.upkeep;

import dev.berth.customresources.definition.Conditions.Condition;
import dev.berth.customresources.definition.DefinitionView;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which of the names that a definition asks for it gets: those that no other definition of its
 * group has. A definition with all of its names is established, and stays so whatever becomes of
 * them.
 *
 * @param names the names that it has from now on
 * @param accepted the condition NamesAccepted
 * @param established the condition Established
 */
record NameAcceptance(JsonObject names, Condition accepted, Condition established) {

  /**
   * @param others all definitions of the group, this one among them or not
   */
  static NameAcceptance decide(DefinitionView definition, List<DefinitionView> others) {
    Set<String> resources = new HashSet<>();
    Set<String> kinds = new HashSet<>();
    for (DefinitionView other : others) {
      JsonObject names = other.acceptedNames();
      resources.add(names.text("plural", ""));
      resources.add(names.text("singular", ""));
      resources.addAll(names.array("shortNames").texts());
      kinds.add(names.text("kind", ""));
      kinds.add(names.text("listKind", ""));
    }
    JsonObject asked = definition.names();
    JsonObject got = definition.acceptedNames();
    Condition problem = null;
    record Single(String field, String reason, boolean ofKind) {}
    List<Single> first =
        List.of(
            new Single("plural", "PluralConflict", false),
            new Single("singular", "SingularConflict", false));
    List<Single> last =
        List.of(
            new Single("kind", "KindConflict", true),
            new Single("listKind", "ListKindConflict", true));
    for (Single single : first) {
      String name = asked.text(single.field, "");
      if (isFree(name, got.text(single.field, ""), resources)) {
        got = got.with(single.field, name);
      } else {
        problem = conflict(single.reason, inUse(name));
      }
    }
    JsonArray shortNames = asked.array("shortNames");
    List<String> taken = new ArrayList<>();
    for (String name : shortNames.texts()) {
      boolean own = definition.acceptedNames().array("shortNames").values().contains(name);
      if (!own && resources.contains(name)) {
        taken.add(inUse(name));
      }
    }
    if (taken.isEmpty()) {
      got = shortNames.isEmpty() ? got.without("shortNames") : got.with("shortNames", shortNames);
    } else {
      String message = taken.size() == 1 ? taken.getFirst() : "[" + String.join(", ", taken) + "]";
      problem = conflict("ShortNamesConflict", message);
    }
    for (Single single : last) {
      String name = asked.text(single.field, "");
      if (isFree(name, got.text(single.field, ""), kinds)) {
        got = got.with(single.field, name);
      } else {
        problem = conflict(single.reason, inUse(name));
      }
    }
    JsonArray categories = asked.array("categories");
    got = categories.isEmpty() ? got.without("categories") : got.with("categories", categories);
    Condition accepted =
        problem == null
            ? new Condition(
                DefinitionView.NAMES_ACCEPTED, "True", "NoConflicts", "no conflicts found")
            : problem;
    return new NameAcceptance(got, accepted, established(definition, problem == null));
  }

  private static Condition established(DefinitionView definition, boolean accepted) {
    boolean is = accepted || definition.isTrue(DefinitionView.ESTABLISHED);
    return is
        ? new Condition(
            DefinitionView.ESTABLISHED,
            "True",
            "InitialNamesAccepted",
            "the initial names have been accepted")
        : new Condition(
            DefinitionView.ESTABLISHED, "False", "NotAccepted", "not all names are accepted");
  }

  private static boolean isFree(String asked, String got, Set<String> used) {
    return asked.equals(got) || !used.contains(asked);
  }

  private static String inUse(String name) {
    return "\"" + name + "\" is already in use";
  }

  private static Condition conflict(String reason, String message) {
    return new Condition(DefinitionView.NAMES_ACCEPTED, "False", reason, message);
  }
}
