package dev.berth.registry;

/**
 * The options of a list.
 *
 * @param limit the most objects on a page; 0 for no limit
 * @param continueToken where the page before ended; empty for the first page
 * @param at which revision will do
 */
public record ListOptions(Selection selection, int limit, String continueToken, At at) {

  /** All objects, at the current revision. */
  public static final ListOptions ALL = of(Selection.ALL);

  public static ListOptions of(Selection selection) {
    return new ListOptions(selection, 0, "", new At.Latest());
  }

  public ListOptions limit(int most) {
    return new ListOptions(selection, most, continueToken, at);
  }

  public ListOptions continuing(String token) {
    return new ListOptions(selection, limit, token, at);
  }

  public ListOptions at(At revision) {
    return new ListOptions(selection, limit, continueToken, revision);
  }

  /** Which revision is listed. */
  public sealed interface At {
    record Latest() implements At {}

    record NotOlderThan(long revision) implements At {}

    record Exactly(long revision) implements At {}
  }
}
