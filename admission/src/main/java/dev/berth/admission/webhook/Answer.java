package dev.berth.admission.webhook;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.status.Status;
import java.util.List;

/** What came of asking a webhook. */
sealed interface Answer {

  /**
   * The webhook does not object.
   *
   * @param patch a JSON patch; empty if there is none
   */
  record Allowed(JsonArray patch) implements Answer {}

  /** The webhook objects. */
  record Rejected(Status status) implements Answer {

    /** What a webhook said of why, said to the client by us. */
    static Rejected of(String webhook, JsonObject result) {
      String denied = "admission webhook \"%s\" denied the request".formatted(webhook);
      String reason = result.text("reason", "");
      String why = result.text("message", reason);
      long code = result.integer("code").orElse(0);
      return new Rejected(
          new Status(
              (int) Math.max(code, 400),
              reason,
              why.isEmpty() ? denied + " without explanation" : denied + ": " + why,
              details(result.object("details"))));
    }

    private static Status.Details details(JsonObject tree) {
      List<Status.Cause> causes =
          tree.array("causes").objects().stream()
              .map(cause ->
                  new Status.Cause(
                      cause.text("reason", ""), cause.text("message", ""), cause.text("field", "")))
              .toList();
      return new Status.Details(
          tree.text("name", ""),
          tree.text("group", ""),
          tree.text("kind", ""),
          tree.text("uid", ""),
          causes,
          (int) tree.integer("retryAfterSeconds").orElse(0));
    }
  }

  /**
   * The webhook could not be asked, or did not answer as it should.
   *
   * @param code an HTTP status for statistics
   */
  record Failed(String message, int code) implements Answer {}
}
