package dev.berth.model.core;

import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.model.tree.JsonObject;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Amounts by resource name, in the order of the names. Absent and zero are not the same: a resource
 * that was asked for with zero is in the list.
 */
public record ResourceList(SortedMap<String, Quantity> amounts) {
  public static final String CPU = "cpu";
  public static final String MEMORY = "memory";
  public static final String EPHEMERAL_STORAGE = "ephemeral-storage";
  public static final String PODS = "pods";
  public static final String STORAGE = "storage";

  public static final ResourceList EMPTY = new ResourceList(Collections.emptySortedMap());

  public ResourceList {
    amounts = Collections.unmodifiableSortedMap(new TreeMap<>(amounts));
  }

  /** The amounts of a tree's object, such as a container's requests. */
  public static ResourceList read(JsonObject amounts) {
    if (amounts.isEmpty()) {
      return EMPTY;
    }
    SortedMap<String, Quantity> read = new TreeMap<>();
    for (int i = 0; i < amounts.size(); i++) {
      Quantity amount = amount(amounts.value(i));
      if (amount != null) {
        read.put(amounts.name(i), amount);
      }
    }
    return new ResourceList(read);
  }

  private static @Nullable Quantity amount(Object value) {
    try {
      return Quantity.fromTree(value);
    } catch (QuantityFormatException e) {
      return null;
    }
  }

  /** The amount of a resource; zero if it is absent. */
  public Quantity get(String resource) {
    return amounts.getOrDefault(resource, Quantity.ZERO);
  }

  public boolean has(String resource) {
    return amounts.containsKey(resource);
  }

  public boolean isEmpty() {
    return amounts.isEmpty();
  }

  public ResourceList plus(ResourceList other) {
    return combine(other, Quantity::plus);
  }

  /** The sum of many lists, each of which is looked at once. */
  public static ResourceList sum(Iterable<ResourceList> lists) {
    SortedMap<String, Quantity> sum = new TreeMap<>();
    for (ResourceList list : lists) {
      list.amounts.forEach((name, amount) -> sum.merge(name, amount, Quantity::plus));
    }
    return new ResourceList(sum);
  }

  /** For each resource the greater of both amounts. */
  public ResourceList max(ResourceList other) {
    return combine(other, (a, b) -> b.compareTo(a) > 0 ? b : a);
  }

  /** This list with one amount set. */
  public ResourceList with(String resource, Quantity amount) {
    SortedMap<String, Quantity> changed = new TreeMap<>(amounts);
    changed.put(resource, amount);
    return new ResourceList(changed);
  }

  private ResourceList combine(ResourceList other, BinaryOperator<Quantity> both) {
    if (other.isEmpty()) {
      return this;
    }
    SortedMap<String, Quantity> combined = new TreeMap<>(amounts);
    other.amounts.forEach((name, amount) -> combined.merge(name, amount, both));
    return new ResourceList(combined);
  }

  @Override
  public String toString() {
    return amounts.toString();
  }
}
