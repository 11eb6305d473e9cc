package dev.berth.grpc.cri;

import dev.berth.agent.runtime.LogRotation;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.grpc.criapi.Cri;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts aside the logs of containers that have become too large: the runtime writes them, and is
 * told to open them anew. Looks every ten seconds, as a kubelet does.
 */
final class LogRotator implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("container-runtime");
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private final CriConnection connection;
  private final CriPods pods;
  private final LogRotation rotation;
  private final Time time;
  private final Loop loop;

  LogRotator(CriConnection connection, CriPods pods, LogRotation rotation, Time time) {
    this.connection = connection;
    this.pods = pods;
    this.rotation = rotation;
    this.time = time;
    loop = time.start("container-logs");
    loop.after(PERIOD, this::pass);
  }

  private void pass() {
    loop.call(
        () -> {
          rotateAll();
          return true;
        },
        _ -> loop.after(PERIOD, this::pass));
  }

  /** Looks at all containers that run. Blocks. */
  void rotateAll() {
    try {
      for (Cri.Container container : pods.containers(Map.of())) {
        if (container.getState() == Cri.ContainerState.CONTAINER_RUNNING) {
          rotate(container);
        }
      }
    } catch (RuntimeFailure e) {
      LOG.debug("logs are not rotated: {}", e.getMessage());
    }
  }

  private void rotate(Cri.Container container) {
    try {
      Path log = Path.of(pods.logFile(container));
      if (!Files.isRegularFile(log) || Files.size(log) < rotation.maxBytes()) {
        return;
      }
      Path aside = LogRotation.aside(log, time.now());
      Files.move(log, aside);
      try {
        CriConnection.call(
            "ReopenContainerLogError",
            () ->
                connection
                    .runtime()
                    .reopenContainerLog(
                        Cri.ReopenContainerLogRequest.newBuilder()
                            .setContainerId(container.getId())
                            .build()));
      } catch (RuntimeFailure e) {
        // The runtime still writes to it.
        Files.move(aside, log);
        throw e;
      }
      rotation.deleteOldest(log);
    } catch (IOException | RuntimeFailure e) {
      LOG.warn("the log of container {} cannot be rotated: {}", container.getId(), e.getMessage());
    }
  }

  /** Deletes a log with all that was put aside of it. */
  static void delete(Path log) throws IOException {
    if (Files.isDirectory(log.resolveSibling(""))) {
      for (Path old : LogRotation.rotated(log)) {
        Files.deleteIfExists(old);
      }
    }
    Files.deleteIfExists(log);
  }

  @Override
  public void close() {
    loop.close();
  }
}
