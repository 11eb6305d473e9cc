package dev.berth.sim.fuzz;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.WatchRequest;
import dev.berth.sim.ComponentNetwork;
import dev.berth.sim.CuttableNetwork;
import dev.berth.sim.FaultyApi;
import dev.berth.time.Loop;
import dev.berth.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;

/**
 * The network between processes and the server. It can be cut, lose requests and answers, say
 * things twice, take its time, and bring watches' events late; each for one process alone.
 */
final class FuzzNetwork implements ComponentNetwork {
  private final VirtualTime time;
  private final RandomGenerator random;
  private final Loop loop;
  private final BiConsumer<ApiRequest, ApiResult> answered;
  private final CuttableNetwork cuts = new CuttableNetwork();
  private final Map<String, List<FaultyApi>> apis = new HashMap<>();
  private final Map<String, List<ApiWatch>> watches = new HashMap<>();
  private final Map<String, Duration> delays = new HashMap<>();
  private final Map<String, Duration> lateness = new HashMap<>();
  private final Map<String, Boolean> losing = new HashMap<>();
  private Duration slowDisk = Duration.ZERO;
  private String sender = "";

  /**
   * @param answered is told what the server answered, at once
   */
  FuzzNetwork(VirtualTime time, BiConsumer<ApiRequest, ApiResult> answered) {
    this.time = time;
    this.answered = answered;
    this.random = time.random("network");
    this.loop = time.start("network");
  }

  /** What messages are on while they take time. */
  Loop loop() {
    return loop;
  }

  /** Whose request the server is at; empty if it is at none. */
  String sender() {
    return sender;
  }

  void cut(String process) {
    cuts.cut(process);
  }

  void mend(String process) {
    cuts.heal(process);
  }

  void lose(String process, boolean now) {
    losing.put(process, now);
    apis.getOrDefault(process, List.of()).forEach(api -> api.setFaulty(now));
  }

  /** From now on, each message of a process takes up to so long. */
  void slow(String process, Duration atMost) {
    delays.put(process, atMost);
  }

  /** From now on, the server's disk takes up to so long for each request. */
  void slowDisk(Duration atMost) {
    slowDisk = atMost;
  }

  /** From now on, events of watches come up to so much later. */
  void late(String process, Duration atMost) {
    lateness.put(process, atMost);
  }

  void healAll() {
    cuts.healAll();
    List.copyOf(losing.keySet()).forEach(process -> lose(process, false));
    delays.clear();
    lateness.clear();
    slowDisk = Duration.ZERO;
  }

  /** A process has ended: nothing of it is left. */
  void forget(String process) {
    apis.remove(process);
    cuts.forget(process);
    List<ApiWatch> open = watches.remove(process);
    if (open != null) {
      open.forEach(ApiWatch::close);
    }
  }

  /** How long a message of any process takes at most. */
  Duration longestDelay() {
    return delays.values().stream()
        .reduce(
            slowDisk,
            (most, one) -> one.plus(slowDisk).compareTo(most) > 0 ? one.plus(slowDisk) : most);
  }

  /** How long the next message of a process takes. */
  Duration delay(String process) {
    return upTo(delays.getOrDefault(process, Duration.ZERO)).plus(upTo(slowDisk));
  }

  private Duration upTo(Duration atMost) {
    return atMost.isZero()
        ? Duration.ZERO
        : Duration.ofMillis(random.nextLong(atMost.toMillis() + 1));
  }

  @Override
  public Api between(String process, Api server) {
    FaultyApi faulty =
        new FaultyApi(new Attributed(process, server), time.random("faults of " + process));
    faulty.setFaulty(losing.getOrDefault(process, false));
    apis.computeIfAbsent(process, _ -> new ArrayList<>()).add(faulty);
    return cuts.between(process, faulty);
  }

  /** Requests with their sender, and watches that may be late. */
  private final class Attributed implements Api {
    private final String process;
    private final Api server;

    Attributed(String process, Api server) {
      this.process = process;
      this.server = server;
    }

    @Override
    public ApiResult send(ApiRequest request) {
      String before = sender;
      sender = process;
      try {
        ApiResult result = server.send(request);
        answered.accept(request, result);
        return result;
      } finally {
        sender = before;
      }
    }

    @Override
    public ListResult list(ListRequest request) {
      return server.list(request);
    }

    @Override
    public ApiWatch watch(WatchRequest request, Runnable onReady) {
      LateWatch late = new LateWatch(process, onReady);
      late.watch = server.watch(request, late::ready);
      watches.computeIfAbsent(process, _ -> new ArrayList<>()).add(late);
      return late;
    }
  }

  /** A watch whose events are held back for a while when its process is to hear of them late. */
  private final class LateWatch implements ApiWatch {
    private final String process;
    private final Runnable onReady;
    private ApiWatch watch =
        new ApiWatch() {
          @Override
          public Poll poll(int limit) {
            return new Poll.Events(List.of(), "");
          }

          @Override
          public void close() {}
        };
    private Instant heldUntil = Instant.MIN;

    LateWatch(String process, Runnable onReady) {
      this.process = process;
      this.onReady = onReady;
    }

    private boolean isHeld() {
      return time.monotonicNow().isBefore(heldUntil);
    }

    private void ready() {
      Duration held = upTo(lateness.getOrDefault(process, Duration.ZERO));
      if (held.isZero()) {
        onReady.run();
      } else if (!isHeld()) {
        heldUntil = time.monotonicNow().plus(held);
        loop.after(held, onReady);
      }
    }

    @Override
    public Poll poll(int limit) {
      return isHeld() ? new Poll.Events(List.of(), "") : watch.poll(limit);
    }

    @Override
    public void close() {
      List<ApiWatch> open = watches.get(process);
      if (open != null) {
        open.remove(this);
      }
      watch.close();
    }
  }
}
