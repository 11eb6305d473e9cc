package dev.berth.model.schema;

import java.util.List;
import java.util.Set;

/**
 * How a field's value merges with another: {@code listType}, {@code listMapKeys} and {@code
 * mapType} when objects are applied, the patch strategies and the merge key when they are patched.
 *
 * @param listMapKeys the fields that tell elements apart, for a list that is a map
 * @param patchMergeKey the field that tells elements apart; empty if elements are plain values
 */
public record Merging(
    ListType listType,
    List<String> listMapKeys,
    Set<PatchStrategy> patchStrategies,
    String patchMergeKey,
    MapType mapType) {

  /** Nothing is said, so lists are replaced as a whole and objects merged field by field. */
  public static final Merging UNSPECIFIED =
      new Merging(ListType.UNSPECIFIED, List.of(), Set.of(), "", MapType.UNSPECIFIED);

  public Merging {
    listMapKeys = List.copyOf(listMapKeys);
    patchStrategies = Set.copyOf(patchStrategies);
  }

  /** Who owns a list: one manager the whole, or each its own elements. */
  public enum ListType {
    UNSPECIFIED,
    ATOMIC,
    SET,
    MAP
  }

  /** Who owns an object: one manager the whole, or each its own fields. */
  public enum MapType {
    UNSPECIFIED,
    ATOMIC,
    GRANULAR
  }

  /** What a strategic merge patch does with the field. */
  public enum PatchStrategy {
    MERGE,
    REPLACE,
    /** Fields that the patch does not name are dropped. */
    RETAIN_KEYS
  }
}
