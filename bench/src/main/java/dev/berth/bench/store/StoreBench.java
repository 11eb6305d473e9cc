package dev.berth.bench.store;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.store.BlockingWatch;
import dev.berth.store.HistoryLimits;
import dev.berth.store.Store;
import dev.berth.store.Watch.Poll;
import dev.berth.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * How fast the embedded store is, against the bars it is held to.
 *
 * <p>Arguments: {@code many}, {@code one}, {@code watched}, {@code reopen}, {@code latency}; none
 * means all. The directory is {@code -Dberth.bench.directory}, or a temporary one.
 */
public final class StoreBench {

  private static final int REPETITIONS = 5;

  /** More, since it is the difference of two noisy figures that counts. */
  private static final int PAIRS = 15;

  private static final int VALUE_BYTES = 3 * 1024;

  private static final long CHECKPOINT_BYTES =
      Long.getLong("berth.bench.checkpoint", EmbeddedStore.Options.DEFAULT.checkpointBytes());

  private final Path directory;

  private StoreBench(Path directory) {
    this.directory = directory;
  }

  public static void main(String... arguments) throws Exception {
    String chosen = System.getProperty("berth.bench.directory");
    Path base = chosen == null ? Files.createTempDirectory("berth-bench") : Path.of(chosen);
    var bench = new StoreBench(base.resolve("store"));
    var names =
        arguments.length > 0
            ? List.of(arguments)
            : List.of("many", "one", "watched", "reopen", "latency");
    for (String name : names) {
      bench.clear();
      switch (name) {
        case "many" -> bench.manyWriters();
        case "one" -> bench.oneWriter();
        case "watched" -> bench.watched();
        case "reopen" -> bench.reopen();
        case "latency" -> bench.latency();
        default -> throw new IllegalArgumentException("There is no measurement " + name + ".");
      }
    }
    bench.clear();
    if (chosen == null) {
      Files.delete(base);
    }
  }

  private void manyWriters() throws Exception {
    try (Store store = open()) {
      double[] rates = new double[REPETITIONS];
      putAll(store, 64, 500);
      for (int i = 0; i < REPETITIONS; i++) {
        rates[i] = putAll(store, 64, 1_500);
      }
      new Figure("64 writers, 3 KB, 10,000 keys", "puts/s", 20_000, Better.HIGHER).print(rates);
    }
  }

  private void oneWriter() throws Exception {
    try (Store store = open()) {
      double[] rates = new double[REPETITIONS];
      double[] disk = new double[REPETITIONS];
      putAll(store, 1, 5_000);
      for (int i = 0; i < REPETITIONS; i++) {
        disk[i] = syncs(4_000);
        rates[i] = putAll(store, 1, 10_000);
      }
      Figure.forComparison("the disk alone: 8 KB and fsync", "/s").print(disk);
      new Figure("1 writer, 3 KB", "puts/s", 3_000, Better.HIGHER).print(rates);
    }
  }

  /** What no store can beat: the same bytes, overwritten in place, without a store around them. */
  private double syncs(int count) throws IOException {
    Path file = directory.resolveSibling("syncs");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer block = ByteBuffer.allocateDirect(8 << 10);
      for (int i = 0; i < count; i++) {
        channel.write(block.clear(), (long) i * block.capacity());
      }
      channel.force(true);
      long start = System.nanoTime();
      for (int i = 0; i < count; i++) {
        channel.write(block.clear(), (long) i * block.capacity());
        channel.force(true); // fsync, as this build of SQLite does
      }
      return count / secondsSince(start);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private void watched() throws Exception {
    try (Store store = open()) {
      putAll(store, 64, 1_000);
      double[] alone = new double[PAIRS];
      double[] watched = new double[PAIRS];
      for (int i = 0; i < PAIRS; i++) {
        alone[i] = putAll(store, 50, 400);
        watched[i] = putAllWatched(store, 100, 50, 400);
      }
      Figure.forComparison("20,000 puts, 50 writers, nobody watches", "puts/s").print(alone);
      Figure.forComparison("the same with 100 watchers", "puts/s").print(watched);
      double slower = 100 * (1 - Figure.median(watched) / Figure.median(alone));
      new Figure("so watchers make it slower by", "%", 25, Better.LOWER).print(slower);
    }
  }

  private double putAllWatched(Store store, int watchers, int writers, int each) throws Exception {
    long from = store.revision();
    int events = writers * each;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var watching = new ArrayList<Future<Integer>>();
      for (int i = 0; i < watchers; i++) {
        watching.add(threads.submit(() -> count(store, from, events)));
      }
      double rate = putAll(store, writers, each);
      for (Future<Integer> seen : watching) {
        if (seen.get() != events) {
          throw new IllegalStateException("A watcher saw " + seen.get() + " of " + events + ".");
        }
      }
      return rate;
    }
  }

  private static int count(Store store, long from, int expected) throws InterruptedException {
    int seen = 0;
    long last = from;
    try (var watch = new BlockingWatch(store, "/registry/", from)) {
      while (seen < expected && watch.take(1_000) instanceof Poll.Events events) {
        for (var event : events.events()) {
          if (event.revision() != ++last) {
            throw new IllegalStateException("Revision " + last + " is missing.");
          }
        }
        seen += events.events().size();
      }
    }
    return seen;
  }

  private void reopen() throws Exception {
    int objects = 200_000;
    try (Store store = open()) {
      concurrently(
          256,
          writer -> {
            var random = new SplittableRandom(writer);
            for (int i = writer; i < objects; i += 256) {
              store.put(key(i), value(random), Store.ANY);
            }
          });
    }
    double[] seconds = new double[REPETITIONS];
    for (int i = 0; i < REPETITIONS; i++) {
      long start = System.nanoTime();
      try (Store store = open()) {
        seconds[i] = secondsSince(start);
        var page = (Store.RangeResult.Page) store.range(Store.RangeRequest.prefix("").limit(0));
        if (page.remaining() != objects) {
          throw new IllegalStateException("Only " + page.remaining() + " objects are there.");
        }
      }
    }
    new Figure("reopening 200,000 objects of 3 KB", "s", 3, Better.LOWER).print(seconds);
    try (Store store = open()) {
      double[] rates = new double[REPETITIONS];
      for (int i = 0; i < REPETITIONS; i++) {
        rates[i] = putAll(store, 64, 1_000, objects);
      }
      new Figure("64 writers, 3 KB, 200,000 keys", "puts/s", 20_000, Better.HIGHER).print(rates);
    }
  }

  /** Not a bar of its own: what the pauses of applying the log do to single writes. */
  private void latency() throws Exception {
    try (Store store = open()) {
      putAll(store, 64, 500);
      double[] worst = new double[REPETITIONS];
      for (int i = 0; i < REPETITIONS; i++) {
        double[] longest = new double[8];
        concurrently(
            8,
            writer -> {
              var random = new SplittableRandom(writer);
              for (int n = 0; n < 2_000; n++) {
                byte[] value = value(random);
                long start = System.nanoTime();
                store.put(key(random.nextInt(10_000)), value, Store.ANY);
                longest[writer] = Math.max(longest[writer], secondsSince(start) * 1_000);
              }
            });
        for (double each : longest) {
          worst[i] = Math.max(worst[i], each);
        }
      }
      new Figure("longest of 16,000 puts, 8 writers", "ms", 250, Better.LOWER).print(worst);
    }
  }

  private static double putAll(Store store, int writers, int each) throws Exception {
    return putAll(store, writers, each, 10_000);
  }

  private static double putAll(Store store, int writers, int each, int keys) throws Exception {
    long start = System.nanoTime();
    concurrently(
        writers,
        writer -> {
          var random = new SplittableRandom(writer);
          for (int i = 0; i < each; i++) {
            store.put(key(random.nextInt(keys)), value(random), Store.ANY);
          }
        });
    return writers * each / secondsSince(start);
  }

  private static void concurrently(int threads, IntConsumer task) throws Exception {
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<Future<?>>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        running.add(executor.submit(() -> task.accept(number)));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
  }

  private static String key(int i) {
    return "/registry/pods/namespace-%d/pod-%d".formatted(i % 50, i);
  }

  private static byte[] value(SplittableRandom random) {
    byte[] value = new byte[VALUE_BYTES];
    random.nextBytes(value);
    return value;
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private Store open() {
    return EmbeddedStore.open(
        directory, new EmbeddedStore.Options(HistoryLimits.DEFAULT, CHECKPOINT_BYTES));
  }

  private void clear() throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
