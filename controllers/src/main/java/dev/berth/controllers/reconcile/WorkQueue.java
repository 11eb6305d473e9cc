package dev.berth.controllers.reconcile;

import dev.berth.client.ApiResult;
import dev.berth.model.resource.ObjectName;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Names of objects that a controller is to reconcile: because they changed, because something that
 * they own did, or because it is time.
 *
 * <ol>
 *   <li>An object is processed once at a time, until the requests of that have ended.
 *   <li>A name that is added while it waits is processed once. One that is added while it is
 *       processed is processed again after that.
 *   <li>What failed is repeated: after 5 ms, and then each time after twice as long, up to a
 *       minute. A success begins anew.
 *   <li>At most {@code atOnce} are processed at once; the other names wait in the order they came.
 * </ol>
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks. Only the metrics are
 * looked up by other threads, which may see figures that are a moment old.
 */
public final class WorkQueue {
  private static final Duration FIRST_RETRY = Duration.ofMillis(5);
  private static final Duration LONGEST_RETRY = Duration.ofMinutes(1);

  /** How many are begun by one task, so that news is heard in between. */
  private static final int TURN = 64;

  private final Loop loop;
  private final Time time;
  private final int atOnce;
  private final Worker worker;
  private final WorkQueueMetrics.Counts counts;

  /** Those that wait, and since when. */
  private final Map<ObjectName, Instant> waiting = new LinkedHashMap<>();

  /** Read by the metrics, too. */
  private final Map<ObjectName, Item> underWay = new ConcurrentHashMap<>();

  private final Map<ObjectName, Integer> failures = new HashMap<>();
  private final Map<ObjectName, Loop.Timer> alarms = new HashMap<>();
  private boolean turnIsComing;

  /** Reconciles objects. */
  @FunctionalInterface
  public interface Worker {
    /**
     * Decides what is to be done about an object, which may be gone, and begins to do it.
     *
     * @param item to be ended, once, at once or later by a task of the loop
     */
    void process(ObjectName name, Item item);
  }

  /** An object that is being processed. */
  public final class Item {
    private final ObjectName name;
    private final Instant since = time.monotonicNow();
    private boolean isAddedAgain;

    private Item(ObjectName name) {
      this.name = name;
    }

    /** Nothing is left to do, for now. */
    public void succeeded() {
      failures.remove(name);
      end();
    }

    /** Something was not done; the object is processed again after a while. */
    public void failed() {
      int times = failures.merge(name, 1, Integer::sum);
      end();
      addAfter(name, delay(times));
    }

    /**
     * Ends as a write has ended. What has gone needs none; a conflict is tried again without a
     * word, since a watch tells what has changed.
     *
     * @param work what was to be done, for the operator: "protect volume v1"
     */
    public void ended(ApiResult result, String work, Consumer<String> warnings) {
      if (!(result instanceof ApiResult.Failure why) || result.isNotFound()) {
        succeeded();
        return;
      }
      if (!result.isConflict()) {
        warnings.accept("cannot %s, and tries again: %s".formatted(work, why.message()));
      }
      failed();
    }

    private void end() {
      if (underWay.remove(name) == null) {
        throw new IllegalStateException(name + " was processed, and ended twice");
      }
      counts.worked().observe(Duration.between(since, time.monotonicNow()));
      if (isAddedAgain) {
        add(name);
      }
      wake();
    }
  }

  /**
   * @param name in metrics; upstream's, where it has such a queue
   * @param atOnce how many may be processed at once
   */
  public WorkQueue(ControllerParts parts, Loop loop, String name, int atOnce, Worker worker) {
    this.loop = loop;
    this.time = parts.time();
    this.atOnce = atOnce;
    this.worker = worker;
    this.counts =
        parts.metrics().shared(WorkQueueMetrics.class, WorkQueueMetrics::new).of(name, this);
  }

  private static Duration delay(int times) {
    Duration delay = FIRST_RETRY;
    for (int i = 1; i < times && delay.compareTo(LONGEST_RETRY) < 0; i++) {
      delay = delay.multipliedBy(2);
    }
    return delay.compareTo(LONGEST_RETRY) < 0 ? delay : LONGEST_RETRY;
  }

  /** Has an object processed as soon as possible. */
  public void add(ObjectName name) {
    Item item = underWay.get(name);
    if (item != null) {
      if (!item.isAddedAgain) {
        item.isAddedAgain = true;
        counts.adds().increment();
      }
    } else if (waiting.putIfAbsent(name, time.monotonicNow()) == null) {
      counts.adds().increment();
      wake();
    }
  }

  /** Has an object processed after a time, or before: of several times the earliest counts. */
  public void addAfter(ObjectName name, Duration delay) {
    // Each call counts, as upstream's do, whether it changes anything or not.
    counts.retries().increment();
    Loop.@Nullable Timer alarm = alarms.get(name);
    if (alarm != null && delay.compareTo(alarm.remaining()) >= 0) {
      return;
    }
    if (alarm != null) {
      alarm.cancel();
    }
    alarms.put(
        name,
        loop.after(
            delay,
            () -> {
              alarms.remove(name);
              add(name);
            }));
  }

  /** An object is gone: it is not processed later. Processing that is under way goes on. */
  public void forget(ObjectName name) {
    Loop.@Nullable Timer alarm = alarms.remove(name);
    if (alarm != null) {
      alarm.cancel();
    }
    failures.remove(name);
  }

  /** How many names wait or are being processed. */
  public int size() {
    return waiting.size() + underWay.size();
  }

  int depth() {
    return waiting.size();
  }

  /** For how long all that is being processed has been, added up. */
  Duration unfinishedWork() {
    Instant now = time.monotonicNow();
    Duration sum = Duration.ZERO;
    for (Item item : underWay.values()) {
      sum = sum.plus(Duration.between(item.since, now));
    }
    return sum;
  }

  /** For how long that has been processed which has been longest. */
  Duration longestRunning() {
    Instant now = time.monotonicNow();
    Instant first = now;
    for (Item item : underWay.values()) {
      first = item.since.isBefore(first) ? item.since : first;
    }
    return Duration.between(first, now);
  }

  private void wake() {
    if (!turnIsComing && !waiting.isEmpty() && underWay.size() < atOnce) {
      turnIsComing = true;
      loop.after(Duration.ZERO, this::turn);
    }
  }

  private void turn() {
    turnIsComing = false;
    for (int i = 0; i < TURN && !waiting.isEmpty() && underWay.size() < atOnce; i++) {
      Iterator<Map.Entry<ObjectName, Instant>> eldest = waiting.entrySet().iterator();
      Map.Entry<ObjectName, Instant> next = eldest.next();
      ObjectName name = next.getKey();
      Item item = new Item(name);
      counts.waited().observe(Duration.between(next.getValue(), item.since));
      eldest.remove();
      underWay.put(name, item);
      worker.process(name, item);
    }
    wake();
  }
}
