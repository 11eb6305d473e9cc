package dev.berth.serving.usage;

import dev.berth.http.Headers;
import dev.berth.http.outgoing.Destination;
import dev.berth.http.outgoing.OutgoingCall;
import dev.berth.http.outgoing.OutgoingRequest;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.registry.status.StatusException;
import dev.berth.serving.connect.NodeConnector;
import dev.berth.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks nodes what they use, each at most every {@link #PERIOD}, and none while nobody wants to
 * know. A node that does not answer has no figures, and makes nobody wait for long. Thread-safe.
 */
public final class NodeUsages {
  private static final Logger LOG = LoggerFactory.getLogger(NodeUsages.class);

  static final Duration PERIOD = Duration.ofSeconds(15);
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(2);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
  private static final int AT_ONCE = 50;
  private static final int MAX_BYTES = 16 * 1024 * 1024;
  private static final int OK = 200;
  private static final String TARGET = "/stats/summary?only_cpu_and_memory=true";

  private final NodeConnector connector;
  private final Time time;
  private final Map<String, Remembered> remembered = new ConcurrentHashMap<>();

  private record Remembered(Instant at, Optional<NodeFigures> figures) {}

  public NodeUsages(NodeConnector connector, Time time) {
    this.connector = connector;
    this.time = time;
  }

  /** The figures of these nodes; those whose last ones are too old are asked. */
  public void refresh(List<JsonObject> nodes) {
    Instant now = time.monotonicNow();
    List<JsonObject> due = nodes.stream().filter(node -> isDue(name(node), now)).toList();
    for (int from = 0; from < due.size(); from += AT_ONCE) {
      List<Runnable> tasks = new ArrayList<>();
      for (JsonObject node : due.subList(from, Math.min(due.size(), from + AT_ONCE))) {
        tasks.add(() -> remembered.put(name(node), new Remembered(now, ask(node))));
      }
      time.together(tasks);
    }
    remembered.values().removeIf(each -> each.at().isBefore(now.minus(PERIOD.multipliedBy(4))));
  }

  /** The last figures of a node, if it has any. */
  public Optional<NodeFigures> of(String node) {
    return Optional.ofNullable(remembered.get(node)).flatMap(Remembered::figures);
  }

  private static String name(JsonObject node) {
    return node.object("metadata").text("name", "");
  }

  private boolean isDue(String node, Instant now) {
    Remembered last = remembered.get(node);
    return last == null || !last.at().plus(PERIOD).isAfter(now);
  }

  private Optional<NodeFigures> ask(JsonObject node) {
    try {
      Destination kubelet = connector.kubelet(node, true);
      Destination hasty = kubelet.connectingWithin(CONNECT_WITHIN);
      OutgoingRequest request =
          OutgoingRequest.get(TARGET, Headers.of("Host", kubelet.authority()), ANSWER_WITHIN);
      try (OutgoingCall call = OutgoingCall.begin(hasty, request)) {
        byte[] body = call.body().readNBytes(MAX_BYTES);
        return call.status() == OK
            ? NodeFigures.read(JsonReader.object(body, JsonLimits.TRUSTED))
            : Optional.empty();
      }
    } catch (IOException | StatusException | JsonException e) {
      LOG.debug("node {} does not say what it uses: {}", name(node), e.getMessage());
      return Optional.empty();
    }
  }
}
