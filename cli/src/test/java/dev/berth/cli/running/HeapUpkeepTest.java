package dev.berth.cli.running;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeapUpkeepTest {
  private static final long MB = 1L << 20;

  @ParameterizedTest(name = "{0} MB old, {2} of them new, {1} MB alive a while ago: {3}")
  @CsvSource({
    "  96,    0,  0, false",
    "  97,    0,  0, true",
    "  97,    0, 50, true",
    " 221,  100,  4, false",
    " 222,  100,  4, true",
    " 222,  100,  5, false",
    " 296,  100, 50, false",
    " 297,  100, 50, true",
    "1347, 1000,  0, true",
    "2096, 1000, 50, false",
    "2097, 1000, 50, true"
  })
  void collectsTwiceOfWhatLivedOrLessWhenItIsAtRest(long used, long live, long grown, boolean due) {
    assertThat(HeapUpkeep.isDue(used * MB, live * MB, grown * MB)).isEqualTo(due);
  }
}
