package dev.berth.policy.cpumanager;

import dev.berth.policy.cpumanager.CpuTopology.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Takes processors so that as much as possible of the machine stays whole: whole sockets and NUMA
 * nodes first (whichever are larger), then caches if that is wanted, then cores, then single
 * processors; each from the part of the machine that has the least left, so that large parts stay
 * free for those that need them.
 */
final class CpuChoice {
  private final CpuTopology machine;
  private final boolean spreads;
  private final boolean alignsCaches;
  private final boolean numaFirst;
  private CpuTopology free;
  private CpuSet taken = CpuSet.EMPTY;
  private int needed;

  private CpuChoice(
      CpuTopology machine, CpuSet available, int count, boolean spreads, boolean alignsCaches) {
    this.machine = machine;
    this.spreads = spreads;
    this.alignsCaches = alignsCaches;
    this.numaFirst = machine.count(Level.SOCKET) >= machine.count(Level.NUMA_NODE);
    this.free = machine.only(available);
    this.needed = count;
  }

  /**
   * Takes as many as asked for; empty if there are not so many.
   *
   * @param spreads whether processors of different cores are taken rather than whole cores
   * @param alignsCaches whether as few caches as possible are used
   */
  static Optional<CpuSet> packed(
      CpuTopology machine, CpuSet available, int count, boolean spreads, boolean alignsCaches) {
    CpuChoice choice = new CpuChoice(machine, available, count, spreads, alignsCaches);
    return count > choice.free.cpus().size() ? Optional.empty() : Optional.of(choice.take());
  }

  /** The NUMA nodes that have something available, in the order in which they are used up. */
  static List<Integer> nodesInOrder(CpuTopology machine, CpuSet available) {
    return new CpuChoice(machine, available, 0, false, false).numaNodes();
  }

  private CpuSet take() {
    takeWhole(numaFirst ? Level.NUMA_NODE : Level.SOCKET);
    takeWhole(numaFirst ? Level.SOCKET : Level.NUMA_NODE);
    if (alignsCaches) {
      takeCaches();
    }
    if (!spreads) {
      takeWhole(Level.CORE);
    }
    for (int cpu : spreads ? cpusBySocket() : cpusByCore()) {
      if (needed < 1) {
        break;
      }
      take(CpuSet.of(cpu));
    }
    return taken;
  }

  private void take(CpuSet cpus) {
    taken = taken.union(cpus);
    free = free.only(free.all().minus(taken));
    needed -= cpus.size();
  }

  private void takeWhole(Level level) {
    for (int part : parts(level)) {
      CpuSet whole = machine.in(level, part);
      if (needed >= Math.max(1, whole.size()) && isFree(level, part)) {
        take(whole);
      }
    }
  }

  /** A socket and a core are free if they have as many free processors as each has on average. */
  private boolean isFree(Level level, int part) {
    int whole =
        switch (level) {
          case SOCKET, CORE -> machine.cpusPer(level);
          case NUMA_NODE, UNCORE_CACHE -> machine.in(level, part).size();
        };
    return free.in(level, part).size() == whole;
  }

  private void takeCaches() {
    for (int cache : parts(Level.UNCORE_CACHE)) {
      if (needed >= machine.cpusPer(Level.UNCORE_CACHE)) {
        takeWhole(Level.UNCORE_CACHE);
      }
      if (needed < 1) {
        return;
      }
      takeFrom(cache);
    }
  }

  /** Takes all that is still needed from a cache, if it has so much; cores stay whole. */
  private void takeFrom(int cache) {
    int perCore = machine.cpusPer(Level.CORE);
    int cores = (needed + perCore - 1) / perCore;
    List<Integer> own = free.partsIn(Level.CORE, Level.UNCORE_CACHE, cache);
    List<Integer> cpus = free.in(Level.CORE, own.subList(0, Math.min(cores, own.size()))).list();
    if (needed % 2 != 0 && perCore > 1 && cpus.size() > needed) {
      cpus = cpus.subList(0, cpus.size() - 1);
    }
    if (cpus.size() == needed) {
      take(CpuSet.of(cpus));
    }
  }

  // The order in which parts are used up.

  private List<Integer> parts(Level level) {
    return switch (level) {
      case NUMA_NODE -> numaNodes();
      case SOCKET -> sockets();
      case CORE -> cores();
      case UNCORE_CACHE -> within(numaNodes(), Level.NUMA_NODE, Level.UNCORE_CACHE);
    };
  }

  private List<Integer> numaNodes() {
    return numaFirst
        ? sorted(free.parts(Level.NUMA_NODE), Level.NUMA_NODE)
        : within(sockets(), Level.SOCKET, Level.NUMA_NODE);
  }

  private List<Integer> sockets() {
    return numaFirst
        ? within(numaNodes(), Level.NUMA_NODE, Level.SOCKET)
        : sorted(free.parts(Level.SOCKET), Level.SOCKET);
  }

  private List<Integer> cores() {
    return numaFirst
        ? within(sockets(), Level.SOCKET, Level.CORE)
        : within(numaNodes(), Level.NUMA_NODE, Level.CORE);
  }

  private List<Integer> cpusByCore() {
    List<Integer> cpus = new ArrayList<>();
    cores().forEach(core -> cpus.addAll(free.in(Level.CORE, core).list()));
    return cpus;
  }

  private List<Integer> cpusBySocket() {
    List<Integer> cpus = new ArrayList<>();
    sockets().forEach(socket -> cpus.addAll(free.in(Level.SOCKET, socket).list()));
    return cpus;
  }

  private List<Integer> within(List<Integer> outer, Level outerLevel, Level level) {
    List<Integer> parts = new ArrayList<>();
    outer.forEach(part -> parts.addAll(sorted(free.partsIn(level, outerLevel, part), level)));
    return parts;
  }

  /** Those with the least left first. */
  private List<Integer> sorted(List<Integer> parts, Level level) {
    List<Integer> sorted = new ArrayList<>(parts);
    sorted.sort(
        Comparator.<Integer>comparingInt(part -> free.in(level, part).size())
            .thenComparing(Comparator.naturalOrder()));
    return sorted;
  }
}
