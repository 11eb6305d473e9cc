package dev.berth.cli.machines;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.cli.AdminClient;
import dev.berth.model.core.NodeView;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.node.EvictionTrace;
import dev.berth.time.Time;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Nodes of one zone, most of which say again and again that they are ready, through any of the
 * servers; the others are silent from the beginning. Whichever server's controllers lead, those are
 * emptied one after the other, as slowly as the zone's rate says.
 */
final class RecordedEvictions implements Runnable {
  /** Of the servers, so that the first node is found to be lost soon. */
  static final String OPTIONS = "--node-monitor-grace-period 20s --node-eviction-rate 0.1";

  private static final Duration APART = Duration.ofSeconds(10);

  /** Times of taints are in whole seconds. */
  private static final Duration LEAST = APART.minusSeconds(1);

  private static final String PATH = "/api/v1/nodes";
  private static final int LIVING = 12;

  /** Less than would make the zone an unhealthy one, which has another rate. */
  private static final int SILENT = 8;

  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration PAUSE = Duration.ofSeconds(3);

  private final List<AdminClient> servers;
  private final Time time;
  private int server;

  /** When nodes got their taints. */
  private final Map<String, Instant> taints = new TreeMap<>();

  private volatile boolean isStopped;

  RecordedEvictions(List<AdminClient> servers, Time time) {
    this.servers = servers;
    this.time = time;
  }

  void create() throws IOException, InterruptedException {
    for (int i = 0; i < LIVING + SILENT; i++) {
      HttpResponse<String> answer =
          servers.getFirst().send("POST", PATH, ready(name(i)), Duration.ofSeconds(30));
      if (answer.statusCode() != 201) {
        throw new AssertionError(answer.body());
      }
    }
  }

  private static String name(int i) {
    return (i < LIVING ? "living-" : "silent-") + i;
  }

  private String ready(String name) {
    Instant now = time.now().truncatedTo(ChronoUnit.SECONDS);
    return "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"%s\"},\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\",\"lastHeartbeatTime\":\"%s\",\"lastTransitionTime\":\"2026-01-01T00:00:00Z\",\"reason\":\"KubeletReady\",\"message\":\"\"}]}}"
        .formatted(name, now);
  }

  @Override
  public void run() {
    while (!isStopped) {
      for (int i = 0; i < LIVING && !isStopped; i++) {
        try {
          String path = "%s/%s/status".formatted(PATH, name(i));
          servers.get(server).send("PUT", path, ready(name(i)), PATIENCE);
        } catch (IOException e) {
          server = (server + 1) % servers.size();
        } catch (InterruptedException e) {
          return;
        }
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  void stop() {
    isStopped = true;
  }

  /** Reads which nodes are being emptied; how many were. */
  int look() throws IOException {
    for (AdminClient each : servers) {
      try {
        HttpResponse<String> answer = each.send("GET", PATH, "", PATIENCE);
        if (answer.statusCode() == 200) {
          JsonObject list = JsonReader.object(answer.body().getBytes(UTF_8), JsonLimits.TRUSTED);
          list.array("items").objects().forEach(this::record);
          return taints.size();
        }
      } catch (IOException | JsonException e) {
        // Another one will answer.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return taints.size();
  }

  private void record(JsonObject object) {
    NodeView node = NodeView.read(object);
    EvictionTrace.ofTaint(node).ifPresent(at -> taints.put(node.name() + " at " + at, at));
  }

  /** Which nodes were emptied sooner after others than the rate allows. */
  List<String> wrongs() {
    List<String> wrongs = new ArrayList<>();
    List<Map.Entry<String, Instant>> inOrder =
        taints.entrySet().stream().sorted(Map.Entry.comparingByValue()).toList();
    for (int i = 1; i < inOrder.size(); i++) {
      Map.Entry<String, Instant> one = inOrder.get(i - 1);
      Map.Entry<String, Instant> next = inOrder.get(i);
      if (Duration.between(one.getValue(), next.getValue()).compareTo(LEAST) < 0) {
        wrongs.add(
            "%s and %s were emptied less than %s apart"
                .formatted(one.getKey(), next.getKey(), APART));
      }
    }
    return wrongs;
  }
}
