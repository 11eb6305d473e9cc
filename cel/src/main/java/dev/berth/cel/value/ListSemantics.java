package dev.berth.cel.value;

import java.util.List;

/**
 * What order and duplicates mean to a list ({@code x-kubernetes-list-type}).
 *
 * <p>Lists that are sets or maps are equal in any order, and adding one to another unites them.
 *
 * @param keys the fields that tell the items of a map apart
 */
public record ListSemantics(Kind kind, List<String> keys) {
  public static final ListSemantics ATOMIC = new ListSemantics(Kind.ATOMIC, List.of());
  public static final ListSemantics SET = new ListSemantics(Kind.SET, List.of());

  public static ListSemantics map(List<String> keys) {
    return new ListSemantics(Kind.MAP, List.copyOf(keys));
  }

  /** The values of {@code x-kubernetes-list-type}. */
  public enum Kind {
    ATOMIC,
    SET,
    MAP
  }
}
