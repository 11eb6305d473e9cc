package dev.berth.registry;

/**
 * What to list.
 *
 * @param limit at most so many; 0 for all
 * @param continueToken where a page before ended; empty for the first
 * @param at which revision will do
 */
public record ListRequest(Selection selection, int limit, String continueToken, At at) {

  /** Everything, as it is now. */
  public static final ListRequest ALL = of(Selection.ALL);

  public static ListRequest of(Selection selection) {
    return new ListRequest(selection, 0, "", new At.Latest());
  }

  public ListRequest limit(int most) {
    return new ListRequest(selection, most, continueToken, at);
  }

  public ListRequest continuing(String token) {
    return new ListRequest(selection, limit, token, at);
  }

  public ListRequest at(At revision) {
    return new ListRequest(selection, limit, continueToken, revision);
  }

  /** Which revision is listed. */
  public sealed interface At {
    record Latest() implements At {}

    record NotOlderThan(long revision) implements At {}

    record Exactly(long revision) implements At {}
  }
}
