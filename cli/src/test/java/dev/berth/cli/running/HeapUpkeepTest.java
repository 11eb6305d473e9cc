package dev.berth.cli.running;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeapUpkeepTest {
  private static final long MB = 1L << 20;

  @ParameterizedTest(name = "{0} MB old, {1} MB of them alive a while ago: {2}")
  @CsvSource({
    "  20,    0, false",
    "  96,    0, false",
    "  97,    0, true",
    " 240,  100, false",
    " 247,  100, true",
    "1590, 1000, false",
    "1597, 1000, true"
  })
  void collectsOnceHalfAsMuchAgainHasGrownOld(long used, long live, boolean due) {
    assertThat(HeapUpkeep.isDue(used * MB, live * MB)).isEqualTo(due);
  }
}
