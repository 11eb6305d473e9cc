package dev.berth.registry.apply;

import dev.berth.model.tree.JsonObject;
import java.util.List;

/** The outcome of an apply. */
public sealed interface ApplyResult {

  /** The object to be stored; the live object itself if nothing changed. */
  record Applied(JsonObject object) implements ApplyResult {}

  /**
   * Fields that others own and that would have changed.
   *
   * @param conflicts in the order of the managers' names, then of the fields
   */
  record Conflicts(List<Conflict> conflicts) implements ApplyResult {
    public Conflicts {
      conflicts = List.copyOf(conflicts);
    }

    /** The message of the status. */
    public String message() {
      if (conflicts.size() == 1) {
        Conflict only = conflicts.getFirst();
        return "Apply failed with 1 conflict: " + only.message() + ": " + only.field();
      }
      StringBuilder text =
          new StringBuilder("Apply failed with ").append(conflicts.size()).append(" conflicts: ");
      String manager = "";
      for (Conflict conflict : conflicts) {
        if (!conflict.manager.equals(manager)) {
          text.append(manager.isEmpty() ? "" : "\n");
          text.append("conflicts with ").append(conflict.manager).append(':');
          manager = conflict.manager;
        }
        text.append("\n- ").append(conflict.field);
      }
      return text.toString();
    }
  }

  /**
   * One field, as a cause of the status.
   *
   * @param manager who owns it, in words: {@code "kubectl-edit" using apps/v1}
   * @param field its path: {@code .spec.replicas}
   */
  record Conflict(String manager, String field) {
    /** The reason of the cause. */
    public static final String TYPE = "FieldManagerConflict";

    /** The message of the cause. */
    public String message() {
      return "conflict with " + manager;
    }
  }
}
