package dev.berth.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Several threads that create, change and delete leases through a client library, and remember what
 * the server acknowledged.
 */
final class Writers {
  private static final int THREADS = 4;
  private static final int OBJECTS = 25;

  /** How a library writes a lease. Each answers with the new resource version. */
  interface Leases {
    String create(String name) throws Exception;

    String update(String name) throws Exception;

    void delete(String name) throws Exception;
  }

  private final Leases leases;
  private final String prefix;
  private final Map<String, List<String>> acknowledged = new ConcurrentSkipListMap<>();
  private final Set<String> doubtful = ConcurrentHashMap.newKeySet();
  private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();

  /** What a library said of a write that failed. */
  record Failure(boolean isDeletion, Exception cause) {
    /**
     * The answers that no server could have avoided whose connections end: none, or that the write
     * had happened before, since the library sent it again by itself.
     */
    List<Integer> unavoidable() {
      return List.of(0, isDeletion ? 404 : 409);
    }
  }

  Writers(String prefix, Leases leases) {
    this.prefix = prefix;
    this.leases = leases;
  }

  /** What was acknowledged of each object, in order: resource versions, and {@code deleted}. */
  Map<String, List<String>> acknowledged() {
    return new TreeMap<>(acknowledged);
  }

  /** What went wrong while the server was stopped and started again. */
  List<Failure> failures() {
    return List.copyOf(failures);
  }

  /** All threads write a fixed number of objects, and every write succeeds. */
  void writeAll() throws Exception {
    inParallel(thread -> {
      for (int i = 0; i < OBJECTS; i++) {
        life(thread, i);
      }
    });
  }

  /**
   * All threads write on and on, while the server is stopped and started again. What fails
   * meanwhile may or may not have happened: it is in doubt.
   */
  void writeAcross(ThrowingRunnable restart) throws Exception {
    CountDownLatch before = new CountDownLatch(THREADS * 5);
    CountDownLatch after = new CountDownLatch(THREADS * 5);
    CountDownLatch restarted = new CountDownLatch(1);
    try (ExecutorService main = Executors.newSingleThreadExecutor()) {
      Future<?> writing =
          main.submit(() -> {
            inParallel(thread -> {
              for (int i = 0; after.getCount() > 0; i++) {
                boolean isUpAgain = restarted.getCount() == 0;
                if (tryLife(thread, i)) {
                  (isUpAgain ? after : before).countDown();
                }
              }
            });
            return true;
          });
      assertThat(before.await(180, TimeUnit.SECONDS)).as("the first writes").isTrue();
      restart.run();
      restarted.countDown();
      writing.get(300, TimeUnit.SECONDS);
    }
  }

  /** Everything that was acknowledged, and not put in doubt afterwards, is there. */
  void assertNothingIsLost(Map<String, String> listed) {
    acknowledged.forEach((name, versions) -> {
      if (!doubtful.contains(name)) {
        String last = versions.getLast();
        if (last.equals("deleted")) {
          assertThat(listed).doesNotContainKey(name);
        } else {
          assertThat(listed).containsEntry(name, last);
        }
      }
    });
  }

  private boolean tryLife(int thread, int number) {
    String name = name(thread, number);
    boolean deletes = false;
    try {
      create(name);
      deletes = isDeleted(number);
      if (deletes) {
        delete(name);
      }
      return true;
    } catch (Exception e) {
      failures.add(new Failure(deletes, e));
      doubtful.add(name);
      return false;
    }
  }

  /** An object is created and changed twice; every third one is deleted. */
  private void life(int thread, int number) throws Exception {
    String name = name(thread, number);
    create(name);
    if (isDeleted(number)) {
      delete(name);
    }
  }

  private void create(String name) throws Exception {
    note(name, leases.create(name));
    note(name, leases.update(name));
    note(name, leases.update(name));
  }

  private static boolean isDeleted(int number) {
    return number % 3 == 2;
  }

  private void delete(String name) throws Exception {
    leases.delete(name);
    note(name, "deleted");
  }

  private String name(int thread, int number) {
    return "%s-%d-%d".formatted(prefix, thread, number);
  }

  private void note(String name, String version) {
    acknowledged.computeIfAbsent(name, _ -> new ArrayList<>()).add(version);
  }

  /** Something that can fail. */
  interface ThrowingRunnable {
    void run() throws Exception;
  }

  private interface Work {
    void run(int thread) throws Exception;
  }

  private static void inParallel(Work work) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        all.add(
            threads.submit(() -> {
              work.run(thread);
              return true;
            }));
      }
      for (Future<?> one : all) {
        one.get(300, TimeUnit.SECONDS);
      }
    }
  }
}
