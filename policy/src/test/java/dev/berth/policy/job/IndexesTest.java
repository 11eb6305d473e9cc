package dev.berth.policy.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''          | ''
          0           | 0
          0,1         | 0,1
          0,1,2       | 0-2
          0-2,3,5     | 0-3,5
          7,1-3       | 1-3,7
          1-4,3-6     | 1-6
          8-12        | 8,9
          10,11       | ''
          x,3,4-y,-2  | 3
          5-3         | ''
          """)
  void whatAStatusSays(String text, String read) {
    assertThat(Indexes.parse(text, 10)).hasToString(read);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''      | 3 | 0 1 2
          0-2     | 2 | 3 4
          1,3     | 3 | 0 2 4
          0-3,5   | 9 | 4
          0-5     | 1 | ''
          """)
  void theFirstThatAreMissing(String there, int count, String missing) {
    List<Long> expected =
        Arrays.stream(missing.split(" ", -1)).filter(t -> !t.isEmpty()).map(Long::valueOf).toList();
    assertThat(Indexes.parse(there, 6).missing(6, count)).isEqualTo(expected);
  }

  @Test
  void someAreAmongOthers() {
    Indexes some = Indexes.parse("1-3,6,8-9", 100);
    assertThat(some.size()).isEqualTo(6);
    assertThat(some.has(2)).isTrue();
    assertThat(some.has(4)).isFalse();
    assertThat(some.has(9)).isTrue();
    assertThat(some.common(Indexes.parse("0-1,3-8", 100))).isEqualTo(4);
  }
}
