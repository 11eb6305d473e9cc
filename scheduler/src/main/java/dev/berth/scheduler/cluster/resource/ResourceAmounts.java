package dev.berth.scheduler.cluster.resource;

import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a pod asks for, by column; columns in ascending order, without zeros. Immutable. */
public final class ResourceAmounts {
  private final int[] columns;
  private final long[] amounts;

  private ResourceAmounts(int[] columns, long[] amounts) {
    this.columns = columns;
    this.amounts = amounts;
  }

  public static ResourceAmounts of(ResourceList list, ResourceTable resources) {
    int size = 0;
    long[] byColumn = new long[resources.size() + list.amounts().size()];
    for (Map.Entry<String, Quantity> entry : list.amounts().entrySet()) {
      int column = resources.column(entry.getKey());
      byColumn[column] =
          column == ResourceTable.PODS ? 0 : ResourceTable.amount(column, entry.getValue());
      size += byColumn[column] == 0 ? 0 : 1;
    }
    int[] columns = new int[size];
    long[] amounts = new long[size];
    int next = 0;
    for (int column = 0; column < byColumn.length; column++) {
      if (byColumn[column] != 0) {
        columns[next] = column;
        amounts[next++] = byColumn[column];
      }
    }
    return new ResourceAmounts(columns, amounts);
  }

  public int size() {
    return columns.length;
  }

  /** The column of the i-th amount. */
  public int column(int i) {
    return columns[i];
  }

  /** The i-th amount. */
  public long amount(int i) {
    return amounts[i];
  }

  public long get(int column) {
    int place = Arrays.binarySearch(columns, column);
    return place < 0 ? 0 : amounts[place];
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ResourceAmounts that
        && Arrays.equals(columns, that.columns)
        && Arrays.equals(amounts, that.amounts);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(columns) + Arrays.hashCode(amounts);
  }

  @Override
  public String toString() {
    return Arrays.toString(columns) + Arrays.toString(amounts);
  }
}
