package dev.berth.bench.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.Resources;
import dev.berth.client.WatchRequest;
import dev.berth.client.http.HttpApi;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * From the moment that a write is sent to one server until a watcher at another one has its event,
 * a hundred times a second.
 */
final class WatchDelay {
  private static final int WARM_UP = 2;
  private static final int ROUNDS = 5;
  private static final int WRITES = 500;
  private static final Duration BETWEEN = Duration.ofMillis(10);
  private static final double P99 = 0.99;

  private WatchDelay() {}

  static void measure(Cluster cluster) throws Exception {
    double[] half = new double[ROUNDS];
    double[] late = new double[ROUNDS];
    try (HttpApi writer = cluster.api("a");
        HttpApi reader = cluster.api("b")) {
      for (int round = 0; round < WARM_UP + ROUNDS; round++) {
        double[] millis = round(writer, reader, "delay-" + round);
        if (round >= WARM_UP) {
          half[round - WARM_UP] = millis[WRITES / 2];
          late[round - WARM_UP] = millis[(int) (WRITES * P99)];
        }
      }
    }
    Figure.forComparison("write on one server to event on another, p50", "ms").print(half);
    new Figure("write on one server to event on another, p99", "ms", 50, Better.LOWER).print(late);
  }

  /** How long each took, in milliseconds, the shortest first. */
  private static double[] round(HttpApi writer, HttpApi reader, String name)
      throws IOException, InterruptedException {
    JsonObject object = object(name, 0);
    if (!(writer.create(Resources.CONFIG_MAPS, object) instanceof ApiResult.Done created)) {
      throw new IOException("the object of the watch cannot be created");
    }
    String revision = Metadata.of(created.object()).resourceVersion();
    Semaphore maybe = new Semaphore(0);
    double[] millis = new double[WRITES];
    try (ApiWatch watch =
        reader.watch(
            new WatchRequest(
                Resources.CONFIG_MAPS, "default", "", "metadata.name=" + name, revision, false),
            maybe::release)) {
      Thread reading = Thread.ofPlatform().start(() -> read(watch, maybe, millis));
      for (int i = 0; i < WRITES; i++) {
        Cluster.expect(writer.update(Resources.CONFIG_MAPS, object(name, System.nanoTime())));
        LockSupport.parkNanos(BETWEEN.toNanos());
      }
      reading.join(TimeUnit.MINUTES.toMillis(1));
      if (reading.isAlive()) {
        throw new IOException("the watch did not tell of all writes");
      }
    }
    Arrays.sort(millis);
    return millis;
  }

  private static void read(ApiWatch watch, Semaphore maybe, double[] millis) {
    for (int told = 0; told < millis.length; ) {
      maybe.acquireUninterruptibly();
      if (!(watch.poll(millis.length) instanceof ApiWatch.Poll.Events events)) {
        throw new IllegalStateException("the watch ended");
      }
      long now = System.nanoTime();
      for (ApiWatch.Event event : events.events()) {
        String sent = event.object().object("data").text("sent", "");
        millis[told++] = (now - Long.parseLong(sent)) / 1e6;
      }
    }
  }

  private static JsonObject object(String name, long sent) {
    return JsonReader.object(
        """
        {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s","namespace":"default"},
         "data":{"sent":"%d"}}
        """
            .formatted(name, sent)
            .getBytes(UTF_8),
        JsonLimits.TRUSTED);
  }
}
