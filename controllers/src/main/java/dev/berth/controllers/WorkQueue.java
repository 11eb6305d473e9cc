package dev.berth.controllers;

import dev.berth.model.resource.ObjectName;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names of objects that a controller is to look at: because they changed, because something that
 * they own did, or because it is time.
 *
 * <ol>
 *   <li>An object is looked at by one look at a time; a look lasts until its requests have ended.
 *   <li>A name that is added while it waits is looked at once. One that is added during a look is
 *       looked at again after it.
 *   <li>A look that failed is repeated: after 5 ms, and then each time after twice as long, up to a
 *       minute. A look that succeeded begins anew.
 *   <li>So many looks are under way at once; the other names wait in the order they came.
 * </ol>
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
public final class WorkQueue {
  private static final Duration FIRST_RETRY = Duration.ofMillis(5);
  private static final Duration LONGEST_RETRY = Duration.ofMinutes(1);

  /** Looks begun by one task, so that news is heard in between. */
  private static final int TURN = 64;

  private final Loop loop;
  private final Time time;
  private final int atOnce;
  private final Worker worker;
  private final Set<ObjectName> waiting = new LinkedHashSet<>();
  private final Map<ObjectName, Look> underWay = new HashMap<>();
  private final Map<ObjectName, Integer> failures = new HashMap<>();
  private final Map<ObjectName, Loop.Timer> alarms = new HashMap<>();
  private boolean turnIsComing;

  /** Looks at objects. */
  public interface Worker {
    /**
     * Decides what is to be done about an object, which may be gone, and begins to do it.
     *
     * @param look to be ended, once, at once or later by a task of the loop
     */
    void look(ObjectName name, Look look);
  }

  /** One look at one object. */
  public final class Look {
    private final ObjectName name;
    private boolean isAddedAgain;

    private Look(ObjectName name) {
      this.name = name;
    }

    /** Nothing is left to do, for now. */
    public void succeeded() {
      failures.remove(name);
      end();
    }

    /** Something was not done; the object is looked at again after a while. */
    public void failed() {
      int times = failures.merge(name, 1, Integer::sum);
      end();
      addAfter(name, delay(times));
    }

    private void end() {
      if (underWay.remove(name) == null) {
        throw new IllegalStateException("a look at " + name + " ended twice");
      }
      if (isAddedAgain) {
        add(name);
      }
      wake();
    }
  }

  /**
   * @param atOnce how many looks may be under way
   */
  public WorkQueue(Loop loop, Time time, int atOnce, Worker worker) {
    this.loop = loop;
    this.time = time;
    this.atOnce = atOnce;
    this.worker = worker;
  }

  private static Duration delay(int times) {
    Duration delay = FIRST_RETRY;
    for (int i = 1; i < times && delay.compareTo(LONGEST_RETRY) < 0; i++) {
      delay = delay.multipliedBy(2);
    }
    return delay.compareTo(LONGEST_RETRY) < 0 ? delay : LONGEST_RETRY;
  }

  /** Has an object looked at as soon as possible. */
  public void add(ObjectName name) {
    Look look = underWay.get(name);
    if (look != null) {
      look.isAddedAgain = true;
    } else if (waiting.add(name)) {
      wake();
    }
  }

  /** Has an object looked at after a time, or before: of several times the earliest counts. */
  public void addAfter(ObjectName name, Duration delay) {
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

  /** An object is gone: it is not looked at later. A look that is under way goes on. */
  public void forget(ObjectName name) {
    Loop.@Nullable Timer alarm = alarms.remove(name);
    if (alarm != null) {
      alarm.cancel();
    }
    failures.remove(name);
  }

  /** How many names wait or are being looked at. */
  public int size() {
    return waiting.size() + underWay.size();
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
      ObjectName name = waiting.iterator().next();
      waiting.remove(name);
      Look look = new Look(name);
      underWay.put(name, look);
      worker.look(name, look);
    }
    wake();
  }
}
