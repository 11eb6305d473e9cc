package dev.berth.cli.running;

import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Has the heap follow what lives in it. A collector that stops the program (the launcher says where
 * one is used) lets objects that became garbage late lie until the heap is as large as it may ever
 * become: what a watch can still be told of, which lives for minutes and is then forgotten, would
 * fill a quarter of the machine within hours. So what has grown old is collected, which takes some
 * 1.3 s for each gigabyte that lives, on two busy processors:
 *
 * <ul>
 *   <li>while it grows, once it is twice what lived after the last full collection: most of what
 *       comes in a busy minute stays, and collecting it again and again is what such a minute has
 *       no time for;
 *   <li>once it has come to rest, when it is a quarter more: then nobody waits for it.
 * </ul>
 */
final class HeapUpkeep {
  private static final Duration INTERVAL = Duration.ofSeconds(2);

  /** What small heaps may hold beyond that, so that they are not collected all the time. */
  private static final long ROOM = 96L << 20;

  /** Where these collectors keep what has grown old. G1 looks after its own. */
  private static final Set<String> POOLS = Set.of("PS Old Gen", "Tenured Gen");

  private final MemoryPoolMXBean old;
  private final Loop loop;
  private long usedBefore;

  private HeapUpkeep(MemoryPoolMXBean old, Loop loop) {
    this.old = old;
    this.loop = loop;
  }

  /** Begins, for as long as the process runs, if its collector is one that needs it. */
  static void start(Time time) {
    Optional<MemoryPoolMXBean> old =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> POOLS.contains(pool.getName()))
            .findFirst();
    if (old.isPresent()) {
      new HeapUpkeep(old.get(), time.start("heap-upkeep")).later();
    }
  }

  private void later() {
    loop.after(INTERVAL, this::look);
  }

  private void look() {
    long used = old.getUsage().getUsed();
    if (isDue(used, old.getCollectionUsage().getUsed(), used - usedBefore)) {
      System.gc();
    }
    usedBefore = used;
    later();
  }

  /**
   * Whether a full collection is due.
   *
   * @param used what is old, garbage included
   * @param live what of it lived after the last full collection; 0 before the first
   * @param grown how much more that is than a moment ago
   */
  static boolean isDue(long used, long live, long grown) {
    boolean isAtRest = grown < used / 50;
    return used > (isAtRest ? live + live / 4 : 2 * live) + ROOM;
  }
}
