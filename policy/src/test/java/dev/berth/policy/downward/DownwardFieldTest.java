package dev.berth.policy.downward;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.fixture.Fixtures;
import dev.berth.model.tree.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DownwardFieldTest {
  private static final JsonObject POD =
      Fixtures.tree(
          "{'metadata':{'name':'web','namespace':'shop','uid':'u1',"
              + "'labels':{'tier':'front','app':'shop'},"
              + "'annotations':{'example.com/Note':'a b','plain':'x'}}}");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "metadata.name|web",
        "metadata.namespace|shop",
        "metadata.uid|u1",
        "metadata.labels['tier']|front",
        "metadata.labels['none']|``",
        "metadata.annotations['example.com/Note']|a b",
      })
  void readsAField(String path, String value) {
    assertThat(DownwardField.read(POD, path)).isEqualTo(new DownwardValue.Text(value));
  }

  @Test
  void labelsAndAnnotationsAreLinesInTheOrderOfTheirKeys() {
    assertThat(DownwardField.read(POD, "metadata.labels"))
        .isEqualTo(new DownwardValue.Text("app=\"shop\"\ntier=\"front\""));
    assertThat(DownwardField.read(POD, "metadata.annotations"))
        .isEqualTo(new DownwardValue.Text("example.com/Note=\"a b\"\nplain=\"x\""));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "status.podIP|unsupported fieldPath: status.podIP",
        "metadata.name['x']|fieldPath \"metadata.name['x']\" does not support subscript",
      })
  void saysWhatIsNotSupported(String path, String message) {
    assertThat(DownwardField.read(POD, path)).isEqualTo(new DownwardValue.Problem(message));
  }

  @Test
  void aKeyThatIsNoneIsRefused() {
    assertThat(DownwardField.read(POD, "metadata.labels['a b']"))
        .isInstanceOfSatisfying(
            DownwardValue.Problem.class,
            problem ->
                assertThat(problem.message())
                    .startsWith("invalid key subscript in metadata.labels['a b']: "));
  }

  @Test
  void quotesAsGoDoes() {
    assertThat(
            DownwardField.quote(
                "a\"b\\c\n\t\u0007\u000b\u0001\u007f\u00e9\u00a0\u200b\ud83d\ude00"))
        .isEqualTo("\"a\\\"b\\\\c\\n\\t\\a\\v\\x01\\x7f\u00e9\\u00a0\\u200b\ud83d\ude00\"");
  }
}
