package dev.berth.store.embedded;

import dev.berth.store.HistoryLimits;
import dev.berth.store.Store;
import dev.berth.store.Store.WriteResult;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The program that {@link CrashTest} kills. It waits for a line on its input, opens a store, and
 * writes from several threads, saying before each write what it will do and afterwards how that
 * ended.
 *
 * <p>Arguments: directory, seed, and after how many writes to close the store.
 */
final class CrashChild {

  private static final int MAX_THREADS = 4;
  private static final int KEYS = 40;

  /** Small, so that the log is applied to the database many times in a life. */
  private static final EmbeddedStore.Options OPTIONS =
      new EmbeddedStore.Options(HistoryLimits.DEFAULT, 256 << 10);

  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

  private CrashChild() {}

  public static void main(String... arguments) throws Exception {
    // Loads the driver while the child before this one still lives.
    DriverManager.getConnection("jdbc:sqlite::memory:").close();
    if (System.in.read() < 0) {
      return;
    }
    say("opening");
    Store store = EmbeddedStore.open(Path.of(arguments[0]), OPTIONS);
    say("opened " + store.revision());
    var seed = new SplittableRandom(Long.parseLong(arguments[1]));
    var left = new AtomicLong(Long.parseLong(arguments[2]));
    var threads = new ArrayList<Thread>();
    // One that is alone commits by itself; several share transactions.
    int writers = 1 + seed.nextInt(MAX_THREADS);
    for (int i = 0; i < writers; i++) {
      int number = i;
      SplittableRandom random = seed.split();
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                while (left.getAndDecrement() > 0) {
                  write(store, number, random);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    say("closing");
    store.close();
    say("closed");
  }

  private static void write(Store store, int thread, SplittableRandom random) {
    String key = "/key/" + random.nextInt(KEYS);
    WriteResult result;
    if (random.nextInt(5) == 0) {
      say("will " + thread + ' ' + key + " delete");
      result = store.delete(key, Store.ANY);
    } else {
      int noise = random.nextInt(10) == 0 ? random.nextInt(30_000) : random.nextInt(3_000);
      byte[] value = SelfDescribing.value(key, random, noise);
      say("will " + thread + ' ' + key + ' ' + SelfDescribing.sum(value));
      result = store.put(key, value, Store.ANY);
    }
    say(
        switch (result) {
          case WriteResult.Written(long revision, var _) -> "did " + thread + ' ' + revision;
          case WriteResult.Conflict _, WriteResult.Prevented _ -> "no " + thread;
        });
  }

  /** One write to the pipe for each line, so that a line is there wholly or not at all. */
  private static void say(String line) {
    try {
      OUT.write((line + '\n').getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      Runtime.getRuntime().halt(1);
    }
  }
}
