package dev.berth.agent.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;

/** How a command ended, for its client. */
sealed interface CommandStatus {

  record Exited(int code) implements CommandStatus {}

  record Failed(String message) implements CommandStatus {}

  /** A {@code Status}, from the fourth version of the protocol on. */
  default byte[] json() {
    return JsonWriter.toBytes(
        switch (this) {
          case Exited(int code) when code == 0 ->
              JsonObject.of("metadata", JsonObject.EMPTY).with("status", "Success");
          case Exited(int code) ->
              failure("NonZeroExitCode", text())
                  .with(
                      "details",
                      JsonObject.of(
                          "causes",
                          JsonArray.of(
                              JsonObject.of("reason", "ExitCode")
                                  .with("message", Integer.toString(code)))));
          case Failed _ -> failure("InternalError", text()).with("code", 500L);
        });
  }

  private static JsonObject failure(String reason, String message) {
    return JsonObject.of("metadata", JsonObject.EMPTY)
        .with("status", "Failure")
        .with("message", message)
        .with("reason", reason);
  }

  /** What older clients are told; nothing if all is well. */
  default byte[] plain() {
    return this instanceof Exited(int code) && code == 0 ? new byte[0] : text().getBytes(UTF_8);
  }

  private String text() {
    return switch (this) {
      case Exited(int code) -> "command terminated with non-zero exit code: exit status " + code;
      case Failed(String message) -> message;
    };
  }
}
