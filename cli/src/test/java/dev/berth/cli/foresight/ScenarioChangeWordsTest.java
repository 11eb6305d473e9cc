package dev.berth.cli.foresight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code --set} and {@code --with} say. */
class ScenarioChangeWordsTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                                     | ``",
        "a=1                                    | a=1",
        "a=1,b=2                                | a=1;b=2",
        "cluster.nodes.web.zones=[a,b],b=2      | cluster.nodes.web.zones=[a,b];b=2",
        "a={cpu: 1, memory: [x,{y: 1,z: 2}]},b  | a={cpu: 1, memory: [x,{y: 1,z: 2}]};b",
        "a=\"1,2]\",b='3,4'                      | a=\"1,2]\";b='3,4'",
        "a=[1,2,b=3                             | a=[1,2,b=3",
        "a=],b=1                                | a=];b=1",
        "a,                                     | a;",
      })
  void areParted(String text, String changes) {
    assertThat(ScenarioChangeWords.split(text))
        .isEqualTo(text.isEmpty() ? List.of() : List.of(changes.split(";", -1)));
  }
}
