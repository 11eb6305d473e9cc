package dev.berth.agent.server;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.PodId;
import dev.berth.http.Exchange;
import dev.berth.http.Headers;
import dev.berth.http.ResponseStream;
import dev.berth.http.Streaming;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Time;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows and follows the logs of containers. */
final class ContainerLogs {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerLogs.class);
  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final int INTERNAL_ERROR = 500;

  private final Time time;
  private final FoundPods pods;
  private final LogTicker ticker;

  ContainerLogs(NodeParts parts, FoundPods pods, LogTicker ticker) {
    this.time = parts.time();
    this.pods = pods;
    this.ticker = ticker;
  }

  void serve(Exchange exchange, PodPath path, NodeQuery query) throws Refusal {
    LogOptions options = LogOptions.of(query, time.now());
    JsonObject pod = pods.pod(path, "pod \"%s\" does not exist".formatted(path.pod()));
    if (!FoundPods.hasContainer(pod, path.container())) {
      throw new Refusal(
          NOT_FOUND,
          "container \"%s\" not found in pod \"%s\"".formatted(path.container(), path.pod()));
    }
    PodId id = FoundPods.id(pod);
    ContainerStatus container =
        pods.container(id, path.container(), options.previous())
            .orElseThrow(() -> new Refusal(BAD_REQUEST, whyNone(pod, path, options.previous())));
    try (LogLines lines = new LogLines(Path.of(container.logFile()))) {
      if (options.tailLines().isPresent()) {
        lines.skipToLast(options.tailLines().getAsLong());
      }
      try (ResponseStream stream =
          exchange.stream(
              OK,
              Headers.of("Content-Type", "text/plain"),
              options.follow() ? Streaming.WATCH : Streaming.BULK)) {
        sendUnlessBroken(lines, new LogOutput(stream, options), id, container, stream);
      }
    } catch (NoSuchFileException e) {
      throw new Refusal(
          BAD_REQUEST,
          "failed to try resolving symlinks in path \"%s\": no such file or directory"
              .formatted(container.logFile()));
    } catch (IOException e) {
      throw new Refusal(
          INTERNAL_ERROR, "failed to read log file \"%s\"".formatted(container.logFile()));
    }
  }

  /** As upstream says it. */
  private static String whyNone(JsonObject pod, PodPath path, boolean previous) {
    String about = "container \"%s\" in pod \"%s\"".formatted(path.container(), path.pod());
    if (previous) {
      return "previous terminated " + about + " not found";
    }
    JsonObject status = pod.object("status");
    Optional<JsonObject> found =
        Stream.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses")
            .flatMap(list -> status.array(list).objects().stream())
            .filter(each -> each.text("name", "").equals(path.container()))
            .findFirst();
    if (found.isEmpty()) {
      return about + " is not available";
    }
    String reason = found.get().object("state").object("waiting").text("reason", "");
    return switch (reason) {
      case "" -> about + " is waiting to start - no logs yet";
      case "ErrImagePull" -> about + " is waiting to start: image can't be pulled";
      case "ImagePullBackOff" -> about + " is waiting to start: trying and failing to pull image";
      default -> about + " is waiting to start: " + reason;
    };
  }

  /** Once the answer has begun, breaking it off is all that is left to say. */
  private void sendUnlessBroken(
      LogLines lines,
      LogOutput output,
      PodId pod,
      ContainerStatus container,
      ResponseStream stream) {
    try {
      send(lines, output, pod, container);
    } catch (IOException e) {
      LOG.warn("cannot read the log {}: {}", container.logFile(), e.toString());
      stream.abort();
    }
  }

  private void send(LogLines lines, LogOutput output, PodId pod, ContainerStatus container)
      throws IOException {
    Semaphore news = new Semaphore(0);
    Runnable wake = news::release;
    output.onGone(wake);
    if (output.follows()) {
      ticker.add(wake);
    }
    try {
      while (!output.isDone()) {
        // Asked before the file is read: what it wrote before it ended is there by then.
        boolean runs = output.follows() && isRunning(pod, container);
        Optional<byte[]> line = lines.next();
        while (line.isPresent() && output.write(line.get())) {
          line = lines.next();
        }
        if (line.isPresent() || !output.flush()) {
          return;
        }
        if (!runs) {
          var _ = output.write(lines.rest());
          return;
        }
        news.acquireUninterruptibly();
        var _ = news.drainPermits();
      }
    } finally {
      ticker.remove(wake);
    }
  }

  private boolean isRunning(PodId pod, ContainerStatus container) {
    return pods.container(pod, container.name(), false)
        .filter(now -> now.id().equals(container.id()) && now.isRunning())
        .isPresent();
  }
}
