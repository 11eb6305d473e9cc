package dev.berth.registry.status;

import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a request ended when its answer is no object: Kubernetes' {@code Status}.
 *
 * @param reason the word that clients switch on, such as {@code NotFound}; empty on success
 * @param continueToken where to go on with a list that cannot go on consistently; mostly empty
 */
public record Status(
    int code, String reason, String message, @Nullable Details details, String continueToken) {

  public Status(int code, String reason, String message, @Nullable Details details) {
    this(code, reason, message, details, "");
  }

  /**
   * What the status is about.
   *
   * @param kind the plural of a resource, or the kind of an object that is invalid
   * @param retryAfterSeconds 0 if the client is not asked to try again
   */
  public record Details(
      String name,
      String group,
      String kind,
      String uid,
      List<Cause> causes,
      long retryAfterSeconds) {

    public static final Details EMPTY = new Details("", "", "", "", List.of(), 0);

    public Details {
      causes = List.copyOf(causes);
    }

    public static Details of(String name, String group, String kind) {
      return new Details(name, group, kind, "", List.of(), 0);
    }

    JsonObject toTree() {
      JsonObject.Builder tree = new JsonObject.Builder();
      putUnlessEmpty(tree, "name", name);
      putUnlessEmpty(tree, "group", group);
      putUnlessEmpty(tree, "kind", kind);
      putUnlessEmpty(tree, "uid", uid);
      if (!causes.isEmpty()) {
        tree.put("causes", JsonArray.copyOf(causes.stream().map(Cause::toTree).toList()));
      }
      if (retryAfterSeconds > 0) {
        tree.put("retryAfterSeconds", retryAfterSeconds);
      }
      return tree.build();
    }
  }

  /** One of the causes of a failure. */
  public record Cause(String reason, String message, String field) {
    public static Cause of(FieldError error) {
      return new Cause(error.reason().cause(), error.body(), error.field());
    }

    JsonObject toTree() {
      JsonObject.Builder tree = new JsonObject.Builder();
      putUnlessEmpty(tree, "reason", reason);
      putUnlessEmpty(tree, "message", message);
      putUnlessEmpty(tree, "field", field);
      return tree.build();
    }
  }

  /** Success, with what it was about. */
  public static Status success(Details details) {
    return new Status(200, "", "", details);
  }

  public boolean isSuccess() {
    return code < 400;
  }

  public JsonObject toTree() {
    JsonObject metadata =
        continueToken.isEmpty() ? JsonObject.EMPTY : JsonObject.of("continue", continueToken);
    JsonObject.Builder tree =
        new JsonObject.Builder()
            .put("kind", "Status")
            .put("apiVersion", "v1")
            .put("metadata", metadata)
            .put("status", isSuccess() ? "Success" : "Failure");
    putUnlessEmpty(tree, "message", message);
    putUnlessEmpty(tree, "reason", reason);
    if (details != null) {
      tree.put("details", details.toTree());
    }
    if (!isSuccess()) {
      tree.put("code", (long) code);
    }
    return tree.build();
  }

  private static void putUnlessEmpty(JsonObject.Builder tree, String name, String value) {
    if (!value.isEmpty()) {
      tree.put(name, value);
    }
  }
}
