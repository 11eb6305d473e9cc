package dev.berth.policy.memorymanager;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The memory of one NUMA node.
 *
 * @param assignments how many blocks are from here; a container with memory and huge pages has two
 * @param tables by type
 * @param cells the nodes with which this one gives memory together; itself alone at first
 */
public record NumaMemory(int assignments, SortedMap<String, Table> tables, List<Integer> cells) {

  /**
   * Memory of one type, in bytes.
   *
   * @param allocatable what there is without what is the system's
   * @param reserved what containers have of that
   */
  public record Table(long total, long systemReserved, long allocatable, long reserved, long free) {
    static final Table NONE = new Table(0, 0, 0, 0, 0);

    /** What a node has while nobody was given anything. */
    static Table unused(long total, long systemReserved, long otherwiseUsed) {
      long allocatable = total - systemReserved - otherwiseUsed;
      return new Table(total, systemReserved, allocatable, 0, allocatable);
    }

    Table take(long bytes) {
      return new Table(total, systemReserved, allocatable, reserved + bytes, free - bytes);
    }

    boolean isSameMachine(Table other) {
      return total == other.total
          && systemReserved == other.systemReserved
          && allocatable == other.allocatable;
    }
  }

  public NumaMemory {
    tables = Collections.unmodifiableSortedMap(new TreeMap<>(tables));
    cells = List.copyOf(cells);
  }

  Table table(String type) {
    return tables.getOrDefault(type, Table.NONE);
  }

  boolean isGrouped() {
    return cells.size() > 1;
  }

  /** After a block was given that is from this node, among others. */
  NumaMemory given(List<Integer> group, String type, long bytes) {
    return new NumaMemory(assignments + 1, with(type, bytes), group);
  }

  /** After a block was given back. */
  NumaMemory returned(int self, String type, long bytes) {
    int left = assignments - 1;
    return new NumaMemory(left, with(type, -bytes), left == 0 ? List.of(self) : cells);
  }

  private SortedMap<String, Table> with(String type, long bytes) {
    if (bytes == 0) {
      return tables;
    }
    SortedMap<String, Table> changed = new TreeMap<>(tables);
    changed.put(type, table(type).take(bytes));
    return changed;
  }
}
