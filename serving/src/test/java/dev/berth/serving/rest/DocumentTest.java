package dev.berth.serving.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonObject;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentTest {

  /** Each is not quite JSON, for its last comma, and is read as YAML; T is a tab. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "between words: a space | {T\"a\":T\"b\",T} | b",
        "within a text: itself | {\"a\": \"bTc\",} | bTc",
        "within a text, behind a quote | {\"a\": \"b\\\"Tc\",} | b\"Tc",
        "behind a text that ends in a backslash | {\"x\": \"y\\\\\",T\"a\": \"bTc\",} | bTc",
      })
  void tabsBetweenWordsOfWhatIsInBracesAreSpaces(String where, String sent, String said) {
    Object read = Document.yaml(sent.replace('T', '\t').getBytes(UTF_8)).value();
    assertThat(((JsonObject) read).text("a")).isEqualTo(said.replace('T', '\t'));
  }
}
