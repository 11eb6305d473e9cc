package dev.berth.agent.image;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How an image wants to be run.
 *
 * @param user such as {@code 1000}, {@code app} or {@code app:staff}; empty for root
 * @param stopSignal empty for SIGTERM
 */
public record ImageConfig(
    List<String> entrypoint,
    List<String> command,
    Map<String, String> environment,
    String user,
    String workingDirectory,
    String stopSignal) {
  public static final ImageConfig NONE =
      new ImageConfig(List.of(), List.of(), Map.of(), "", "", "");

  /** Reads the part {@code config} of an OCI image's configuration. */
  static ImageConfig read(JsonObject config) {
    Map<String, String> environment = new LinkedHashMap<>();
    for (String variable : texts(config, "Env")) {
      int end = variable.indexOf('=');
      if (end > 0) {
        environment.put(variable.substring(0, end), variable.substring(end + 1));
      }
    }
    return new ImageConfig(
        texts(config, "Entrypoint"),
        texts(config, "Cmd"),
        environment,
        config.text("User", ""),
        config.text("WorkingDir", ""),
        config.text("StopSignal", ""));
  }

  /** Lists may be null there. */
  private static List<String> texts(JsonObject config, String name) {
    return config.get(name) instanceof JsonArray array ? array.texts() : List.of();
  }
}
