package dev.berth.agent.control;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.shutdown.ShutdownPeriods;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** Asks the agent that runs in a directory. All methods block. */
public final class ControlClient {
  /** The name of an agent's socket in its directory. */
  public static final String SOCKET = ControlLines.SOCKET;

  private ControlClient() {}

  /** How the node stands; empty if no agent runs there. */
  public static Optional<JsonObject> status(Path root) throws IOException {
    return ask(root, JsonObject.of("do", "status"), _ -> {});
  }

  /**
   * Has all pods ended, and then the agent; returns when that has ended, too. How the node stood in
   * between; empty if no agent runs there.
   *
   * @param periods what pods get; empty for what is configured
   * @param progress gets what the agent says meanwhile
   */
  public static Optional<JsonObject> drain(
      Path root, Optional<ShutdownPeriods> periods, Consumer<String> progress) throws IOException {
    JsonArray given =
        JsonArray.copyOf(
            periods.orElse(ShutdownPeriods.NONE).periods().stream()
                .map(each ->
                    JsonObject.of("priority", (long) each.priority())
                        .with("seconds", each.grace().toSeconds()))
                .toList());
    return ask(root, JsonObject.of("do", "drain").with("periods", given), progress);
  }

  private static Optional<JsonObject> ask(Path root, JsonObject request, Consumer<String> progress)
      throws IOException {
    Path socket = ControlLines.socket(root);
    if (!Files.exists(socket)) {
      return Optional.empty();
    }
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      ControlLines lines = new ControlLines(channel);
      lines.write(request);
      while (true) {
        JsonObject line = lines.read();
        if (line.has("result")) {
          awaitEnd(lines);
          return Optional.of(line.object("result"));
        }
        if (!line.has("line")) {
          throw new IOException(
              line.text("error", "the agent has ended before it answered; its log may say why"));
        }
        progress.accept(line.text("line", ""));
      }
    } catch (ConnectException e) {
      // What a killed agent left.
      return Optional.empty();
    }
  }

  /** The other side closes the connection when nothing is left to be done. */
  private static void awaitEnd(ControlLines lines) {
    try {
      lines.read();
    } catch (IOException e) {
      // Whoever ends for good does not say goodbye.
    }
  }
}
