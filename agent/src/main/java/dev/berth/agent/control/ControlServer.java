package dev.berth.agent.control;

import dev.berth.model.tree.JsonObject;
import dev.berth.policy.shutdown.ShutdownPeriods;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers commands of this machine's administrator, one to a connection. Only who may use the
 * agent's directory can connect. Each connection is a virtual thread that blocks.
 */
public final class ControlServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("kubelet");

  private final ServerSocketChannel server;
  private final Path place;
  private final Requests requests;

  /** What can be asked of an agent. May block. */
  public interface Requests {
    JsonObject status();

    /**
     * Ends all pods; returns when they have ended, or should have.
     *
     * @param periods what pods get; empty for what is configured
     * @param progress told what happens, by any thread
     */
    void drain(Optional<ShutdownPeriods> periods, Consumer<String> progress)
        throws InterruptedException;

    /** Ends the agent. */
    void stop();
  }

  private ControlServer(Path place, Requests requests) throws IOException {
    this.place = place;
    this.requests = requests;
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(place));
    Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rw-------"));
    Thread.ofVirtual().name("control").start(this::accept);
  }

  /**
   * Begins to answer.
   *
   * @param root the agent's directory, which no other agent uses
   * @return nothing if that does not work on this machine, which is a node all the same
   */
  public static Optional<ControlServer> start(Path root, Requests requests) {
    Path place = ControlLines.socket(root);
    try {
      Files.deleteIfExists(place);
      return Optional.of(new ControlServer(place, requests));
    } catch (IOException | UnsupportedOperationException e) {
      LOG.error("no command can reach this node at {}: {}", place, e.toString());
      return Optional.empty();
    }
  }

  private void accept() {
    try {
      while (server.isOpen()) {
        SocketChannel client = server.accept();
        Thread.ofVirtual().name("control").start(() -> serve(client));
      }
    } catch (IOException e) {
      if (server.isOpen()) {
        LOG.error("no command can reach this node any more: {}", e.toString());
      }
    }
  }

  private void serve(SocketChannel client) {
    try (client) {
      ControlLines lines = new ControlLines(client);
      JsonObject request = lines.read();
      switch (request.text("do", "")) {
        case "status" -> lines.write(JsonObject.of("result", requests.status()));
        case "drain" -> drain(lines, request);
        default -> lines.write(JsonObject.of("error", "an agent does not know how to do that"));
      }
    } catch (IOException e) {
      LOG.warn("a command that asked this node went away: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void drain(ControlLines lines, JsonObject request)
      throws IOException, InterruptedException {
    LOG.info("asked to end all pods, and then to stop");
    requests.drain(periods(request), line -> say(lines, line));
    try {
      lines.write(JsonObject.of("result", requests.status()));
    } finally {
      requests.stop();
    }
  }

  /** Whoever asked may have gone; what was asked for is done all the same. */
  private static void say(ControlLines lines, String line) {
    try {
      lines.write(JsonObject.of("line", line));
    } catch (IOException e) {
      LOG.debug("nobody hears: {}", e.toString());
    }
  }

  private static Optional<ShutdownPeriods> periods(JsonObject request) {
    List<ShutdownPeriods.Period> periods =
        request.array("periods").objects().stream()
            .map(each ->
                new ShutdownPeriods.Period(
                    (int) each.integer("priority").orElse(0),
                    Duration.ofSeconds(each.integer("seconds").orElse(0))))
            .toList();
    return periods.isEmpty() ? Optional.empty() : Optional.of(new ShutdownPeriods(periods));
  }

  @Override
  public void close() {
    try {
      server.close();
      Files.deleteIfExists(place);
    } catch (IOException e) {
      LOG.warn("{}: {}", place, e.toString());
    }
  }
}
