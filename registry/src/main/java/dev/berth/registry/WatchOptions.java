package dev.berth.registry;

/**
 * The options of a watch.
 *
 * @param from where to begin
 */
public record WatchOptions(Selection selection, From from) {

  /** Where a watch begins. */
  public sealed interface From {
    /** With what there is now, as if it had just been added. */
    record Present() implements From {}

    /** With the next change. */
    record Next() implements From {}

    /** With the first change after a revision. */
    record After(long revision) implements From {}
  }
}
