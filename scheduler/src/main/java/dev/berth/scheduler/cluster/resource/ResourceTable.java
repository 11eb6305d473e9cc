package dev.berth.scheduler.cluster.resource;

import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The resources that nodes have and pods ask for, each with the number of its column. Cpu is
 * counted in thousandths, everything else in its unit, rounded up.
 */
public final class ResourceTable {
  public static final int CPU = 0;
  public static final int MEMORY = 1;
  public static final int EPHEMERAL_STORAGE = 2;
  public static final int PODS = 3;

  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> columns = new HashMap<>();

  public ResourceTable() {
    List.of(
            ResourceList.CPU,
            ResourceList.MEMORY,
            ResourceList.EPHEMERAL_STORAGE,
            ResourceList.PODS)
        .forEach(this::column);
  }

  /** The column of a resource, a new one if it is not known yet. */
  public int column(String name) {
    Integer known = columns.putIfAbsent(name, names.size());
    if (known != null) {
      return known;
    }
    names.add(name);
    return names.size() - 1;
  }

  public String name(int column) {
    return names.get(column);
  }

  public int size() {
    return names.size();
  }

  public static long amount(int column, Quantity quantity) {
    return column == CPU ? quantity.milliValue() : quantity.value();
  }
}
