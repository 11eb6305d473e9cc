package dev.berth.model.tree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Go's words for texts that are no JSON. */
class GoJsonSyntaxTest {
  private static String problem(String text) {
    return GoJsonSyntax.problem(text.getBytes(ISO_8859_1)).orElse("");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          `` | unexpected end of JSON input
          {  | unexpected end of JSON input
          {"a | unexpected end of JSON input
          [1, | unexpected end of JSON input
          - | unexpected end of JSON input
          tru | unexpected end of JSON input
          x  | invalid character 'x' looking for beginning of value
          [1,] | invalid character ']' looking for beginning of value
          {"a":} | invalid character '}' looking for beginning of value
          {a:1} | invalid character 'a' looking for beginning of object key string
          {"a":1,} | invalid character '}' looking for beginning of object key string
          {"a" 1} | invalid character '1' after object key
          {"a":1 "b":2} | invalid character '"' after object key:value pair
          [1 2] | invalid character '2' after array element
          {} x | invalid character 'x' after top-level value
          01 | invalid character '1' after top-level value
          -x | invalid character 'x' in numeric literal
          1.x | invalid character 'x' after decimal point in numeric literal
          1ex | invalid character 'x' in exponent of numeric literal
          trve | invalid character 'v' in literal true (expecting 'u')
          nil | invalid character 'i' in literal null (expecting 'u')
          "\\x" | invalid character 'x' in string escape code
          "\\u12G4" | invalid character 'G' in \\u hexadecimal character escape
          '' | invalid character '\\'' looking for beginning of value
          """)
  void saysWhereTheTextCeasesToBeJson(String text, String problem) {
    assertThat(problem(text)).isEqualTo(problem);
  }

  @Test
  void bytesAreQuotedAsCharacters() {
    assertThat(problem("\"\n\"")).isEqualTo("invalid character '\\n' in string literal");
    assertThat(problem("\u0001"))
        .isEqualTo("invalid character '\\x01' looking for beginning of value");
    assertThat(problem("\u0081"))
        .isEqualTo("invalid character '\\u0081' looking for beginning of value");
    assertThat(problem("\u00e9")).isEqualTo("invalid character 'é' looking for beginning of value");
  }

  @Test
  void ofJsonNothingIsSaid() {
    assertThat(
            problem(
                " {\"a\": [1, -0.5e+3, \"\\u00e9\\n\", true, false, null, {}, []], \"b\": {\"c\": 0}} \n"))
        .isEmpty();
  }

  @Test
  void noTextIsTooDeep() {
    assertThat(problem("[".repeat(1_000_000))).isEqualTo("unexpected end of JSON input");
    assertThat(problem("[".repeat(1_000_000) + "]".repeat(1_000_000))).isEmpty();
  }
}
