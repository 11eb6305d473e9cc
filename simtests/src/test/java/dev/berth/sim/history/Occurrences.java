package dev.berth.sim.history;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counts, over all histories of a test, what they are about: a single one may be uneventful, but if
 * it never happens, nothing was shown.
 */
public final class Occurrences {
  private final String what;
  private int histories;
  private long count;

  public Occurrences(String what) {
    this.what = what;
  }

  /** A history has ended, in which it happened so often. */
  public void add(long times) {
    histories++;
    count += times;
  }

  /** To be asked after all histories; one that is replayed alone proves nothing either way. */
  public void assertSome() {
    if (histories > 1) {
      assertThat(count).as("%s in %d histories", what, histories).isPositive();
    }
  }
}
