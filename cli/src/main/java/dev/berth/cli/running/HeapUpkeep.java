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
 * fill a quarter of the machine within hours. So whenever what has grown old is half as much again
 * as it was after the last full collection, there is another one; it takes some 1.3 s for each
 * gigabyte that lives, on two busy processors.
 */
final class HeapUpkeep {
  private static final Duration INTERVAL = Duration.ofSeconds(2);

  /** What small heaps may hold beyond that, so that they are not collected all the time. */
  private static final long ROOM = 96L << 20;

  /** Where these collectors keep what has grown old. G1 looks after its own. */
  private static final Set<String> POOLS = Set.of("PS Old Gen", "Tenured Gen");

  private final MemoryPoolMXBean old;
  private final Loop loop;

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
    if (isDue(old.getUsage().getUsed(), old.getCollectionUsage().getUsed())) {
      System.gc();
    }
    later();
  }

  /**
   * Whether a full collection is due.
   *
   * @param used what is old, garbage included
   * @param live what of it lived after the last full collection; 0 before the first
   */
  static boolean isDue(long used, long live) {
    return used > live + live / 2 + ROOM;
  }
}
