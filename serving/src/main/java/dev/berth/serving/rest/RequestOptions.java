package dev.berth.serving.rest;

import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.tree.JsonArray;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.Status;
import dev.berth.registry.status.StatusException;
import dev.berth.serving.request.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads the options of a write from its query, and refuses those that say nothing sensible. */
final class RequestOptions {
  static final GroupKind CREATE = new GroupKind("meta.k8s.io", "CreateOptions");
  static final GroupKind UPDATE = new GroupKind("meta.k8s.io", "UpdateOptions");
  static final GroupKind PATCH = new GroupKind("meta.k8s.io", "PatchOptions");
  static final GroupKind DELETE = new GroupKind("meta.k8s.io", "DeleteOptions");

  private static final int LONGEST_MANAGER = 128;
  private static final Set<String> FIELD_VALIDATIONS = Set.of("", "Ignore", "Strict", "Warn");

  private RequestOptions() {}

  /**
   * The options of a write.
   *
   * @param kind what errors call them
   */
  static WriteOptions of(Call call, GroupKind kind) {
    List<FieldError> errors = new ArrayList<>();
    checkFieldManager(call.query().text("fieldManager"), errors);
    boolean dryRun = dryRun(call.query(), errors);
    checkFieldValidation(call.query().text("fieldValidation"), errors);
    check(kind, errors);
    return new WriteOptions(
        dryRun, call.subresource(), fieldManager(call), call.user(), call.notices());
  }

  /** The same of a patch, which may be one that is applied. */
  static WriteOptions ofPatch(Call call, boolean applied) {
    Query query = call.query();
    List<FieldError> errors = new ArrayList<>();
    if (!applied && query.has("force")) {
      errors.add(FieldError.forbidden("force", "may not be specified for non-apply patch"));
    }
    if (applied && !query.has("fieldManager")) {
      errors.add(FieldError.required("fieldManager", "is required for apply patch"));
    }
    if (!errors.isEmpty()) {
      checkFieldManager(query.text("fieldManager"), errors);
      var _ = dryRun(query, errors);
      checkFieldValidation(query.text("fieldValidation"), errors);
      check(PATCH, errors);
    }
    return of(call, PATCH).patch();
  }

  /** Whether nothing is to be written. */
  static boolean dryRun(Call call, GroupKind kind) {
    List<FieldError> errors = new ArrayList<>();
    boolean dryRun = dryRun(call.query(), errors);
    check(kind, errors);
    return dryRun;
  }

  private static boolean dryRun(Query query, List<FieldError> errors) {
    List<String> wishes = query.allTexts("dryRun");
    wishes.removeIf(String::isEmpty);
    if (wishes.isEmpty()) {
      return false;
    }
    if (wishes.stream().anyMatch(wish -> !wish.equals("All"))) {
      errors.add(FieldError.notSupported("dryRun", JsonArray.copyOf(wishes), List.of("All")));
    }
    return true;
  }

  private static void checkFieldManager(String name, List<FieldError> errors) {
    if (name.length() > LONGEST_MANAGER) {
      errors.add(
          new FieldError(
              FieldError.Reason.TOO_LONG,
              "fieldManager",
              null,
              "may not be more than " + LONGEST_MANAGER + " bytes"));
    }
    if (!isPrintable(name)) {
      errors.add(
          FieldError.invalid("fieldManager", name, "should only contain printable characters"));
    }
  }

  private static boolean isPrintable(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c < ' ' || c == 0x7f) {
        return false;
      }
    }
    return true;
  }

  private static void checkFieldValidation(String wish, List<FieldError> errors) {
    if (!FIELD_VALIDATIONS.contains(wish)) {
      errors.add(
          FieldError.notSupported(
              "fieldValidation", wish, List.of("", "Ignore", "Strict", "Warn")));
    }
  }

  private static void check(GroupKind kind, List<FieldError> errors) {
    if (!errors.isEmpty()) {
      throw Failures.invalid(kind, "", errors);
    }
  }

  /** Who writes: the name that the client gives, or the first word of how it calls itself. */
  private static String fieldManager(Call call) {
    String name = call.query().text("fieldManager");
    if (!name.isEmpty()) {
      return name;
    }
    String agent = call.exchange().header("User-Agent").orElse("unknown");
    int slash = agent.indexOf('/');
    String word = slash < 0 ? agent : agent.substring(0, slash);
    return word.length() > LONGEST_MANAGER ? word.substring(0, LONGEST_MANAGER) : word;
  }

  /** Refuses a revision that is none where an object is read, as Kubernetes does: with a 500. */
  static void checkRevision(String text) {
    if (!text.isEmpty() && !isRevision(text)) {
      throw new StatusException(new Status(500, "", malformedRevision(text), null));
    }
  }

  /** The same, and one that there is not yet. */
  static void checkRevision(String text, long current) {
    checkRevision(text);
    if (!text.isEmpty() && Long.compareUnsigned(Long.parseUnsignedLong(text), current) > 0) {
      throw Failures.tooLargeResourceVersion(Long.parseUnsignedLong(text), current);
    }
  }

  static boolean isRevision(String text) {
    try {
      return Long.parseUnsignedLong(text) >= 0 && !text.startsWith("+");
    } catch (NumberFormatException _) {
      return false;
    }
  }

  static String malformedRevision(String text) {
    return "resourceVersion: Invalid value: \"%s\": strconv.ParseUint: parsing \"%s\": invalid syntax"
        .formatted(text, text);
  }
}
