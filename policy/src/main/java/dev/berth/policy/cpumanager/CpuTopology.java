package dev.berth.policy.cpumanager;

import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How the processors of a machine, or some of them, are arranged.
 *
 * @param cpus by their numbers
 */
public record CpuTopology(SortedMap<Integer, Cpu> cpus) {

  /**
   * Where a processor is.
   *
   * @param core the lowest number of a processor on the same core
   * @param uncoreCache the last level of cache that it shares with others
   */
  public record Cpu(int numaNode, int socket, int core, int uncoreCache) {}

  /** A kind of part that processors are in. */
  enum Level {
    NUMA_NODE,
    SOCKET,
    CORE,
    UNCORE_CACHE;

    /** The part of this level that a processor is in. */
    int of(Cpu cpu) {
      return switch (this) {
        case NUMA_NODE -> cpu.numaNode;
        case SOCKET -> cpu.socket;
        case CORE -> cpu.core;
        case UNCORE_CACHE -> cpu.uncoreCache;
      };
    }
  }

  public CpuTopology {
    cpus = Collections.unmodifiableSortedMap(new TreeMap<>(cpus));
  }

  public CpuSet all() {
    return CpuSet.of(cpus.keySet());
  }

  CpuTopology only(CpuSet kept) {
    return new CpuTopology(
        cpus.entrySet().stream()
            .filter(cpu -> kept.contains(cpu.getKey()))
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey, Map.Entry::getValue, (one, _) -> one, TreeMap::new)));
  }

  /** The parts of a level, by number. */
  List<Integer> parts(Level level) {
    BitSet parts = new BitSet();
    cpus.values().forEach(cpu -> parts.set(level.of(cpu)));
    return parts.stream().boxed().toList();
  }

  int count(Level level) {
    return parts(level).size();
  }

  /** The parts of one level that share processors with some part of another. */
  List<Integer> partsIn(Level inner, Level outer, int part) {
    BitSet parts = new BitSet();
    for (Cpu cpu : cpus.values()) {
      if (outer.of(cpu) == part) {
        parts.set(inner.of(cpu));
      }
    }
    return parts.stream().boxed().toList();
  }

  CpuSet in(Level level, int part) {
    BitSet found = new BitSet();
    cpus.forEach((number, cpu) -> {
      if (level.of(cpu) == part) {
        found.set(number);
      }
    });
    return CpuSet.of(found.stream().toArray());
  }

  CpuSet in(Level level, List<Integer> parts) {
    CpuSet found = CpuSet.EMPTY;
    for (int part : parts) {
      found = found.union(in(level, part));
    }
    return found;
  }

  /** How many processors a part of a level has if all have as many. */
  int cpusPer(Level level) {
    return cpus.isEmpty() ? 0 : cpus.size() / count(level);
  }

  public List<Integer> numaNodes() {
    return parts(Level.NUMA_NODE);
  }

  /** The NUMA node of a processor; -1 if there is no such processor. */
  public int numaNode(int cpu) {
    Cpu found = cpus.get(cpu);
    return found == null ? -1 : found.numaNode();
  }

  /** Whether some processors share one cache. */
  public boolean isOneCache(CpuSet some) {
    return only(some).count(Level.UNCORE_CACHE) <= 1;
  }
}
