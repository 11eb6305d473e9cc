package dev.berth.model.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {

  private static Object read(String json) {
    return JsonReader.value(json.getBytes(UTF_8), JsonLimits.REQUEST);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "{\"a\":1,\"a\":2} | line 1, column 13: the field \"a\" occurs twice in one object",
        "{\"a\":1,\"\\u0061\":2} | the field \"a\" occurs twice in one object",
        "[{\"x\":{\"k\":1,\"j\":1,\"k\":1}}] | the field \"k\" occurs twice in one object",
        "1e999 | the number 1e999 is beyond the range of a double",
        "-1e400 | the number -1e400 is beyond the range of a double",
        "[\"\\ud800\"] | a string holds half of a surrogate pair",
        "{\"\\udc00x\":1} | Unexpected low surrogate in property name (DC00)",
        "[1,2 | line 1, column 5: Unexpected end-of-input: expected close marker for Array",
        "{\"a\" 1} | line 1, column 6: Unexpected character ('1'",
        "{a:1} | Unexpected character ('a'",
        "[01] | Invalid numeric value: Leading zeroes not allowed",
        "[+1] | Unexpected character ('+'",
        "[NaN] | Non-standard token 'NaN'",
        "['a'] | Unexpected character (''",
        "[1,] | Unexpected character (']'",
        "{} {} | line 1, column 4: the document goes on after its end",
        "tru | Unrecognized token 'tru'",
      })
  void badDocumentsAreRefusedWithWhatAndWhere(String json, String message) {
    assertThatThrownBy(() -> read(json))
        .isInstanceOf(JsonException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n\n"})
  void anEmptyDocumentIsRefused(String json) {
    assertThatThrownBy(() -> read(json)).hasMessage("the document is empty");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"a\":", "[{\"a\":"})
  void aMillionLevelsAreRefusedAndDoNotOverflowTheStack(String level) {
    assertThatThrownBy(() -> read(level.repeat(400_000)))
        .isInstanceOf(JsonException.class)
        .hasMessageContaining("nested deeper than 512 levels");
  }

  @Test
  void theDeepestTreeThatIsReadCanBeWrittenComparedAndHashed() {
    String json = "[".repeat(512) + "]".repeat(512);
    Object tree = read(json);
    assertThat(tree).isEqualTo(read(json)).hasSameHashCodeAs(read(json));
    assertThat(JsonWriter.toText(tree)).isEqualTo(json);
  }

  @Test
  void aTreeThatGrewTooDeepIsRefusedWhenItIsWritten() {
    Object tree = JsonArray.EMPTY;
    for (int i = 0; i < 100_000; i++) {
      tree = JsonArray.of(tree);
    }
    Object tooDeep = tree;
    assertThatThrownBy(() -> JsonWriter.toBytes(tooDeep))
        .hasMessage("nested deeper than 512 levels");
  }

  @Test
  void aStringThatIsNoTextIsRefusedWhenItIsWritten() {
    assertThatThrownBy(() -> JsonWriter.toBytes("\ud800"))
        .isInstanceOf(JsonException.class)
        .hasMessageContaining("a string holds half of a surrogate pair");
    assertThatThrownBy(() -> JsonWriter.toBytes("\ud800x")).isInstanceOf(JsonException.class);
    JsonObject badName = JsonObject.of("\ud800x", 1L);
    assertThatThrownBy(() -> JsonWriter.toBytes(badName)).isInstanceOf(JsonException.class);
    assertThat(badName).hasToString("{\"\\uD800x\":1}");
    assertThat(JsonWriter.toText("\ud800x")).isEqualTo("\"\\uD800x\"");
    assertThat(JsonWriter.toText("\\ud800")).isEqualTo("\"\\\\ud800\"");
  }

  @Test
  void aDocumentBeyondTheLimitIsRefusedUnread() {
    byte[] json = ("\"" + "x".repeat(3 * 1024 * 1024) + "\"").getBytes(UTF_8);
    assertThatThrownBy(() -> JsonReader.value(json, JsonLimits.REQUEST))
        .hasMessage("the document has 3145730 bytes, at most 3145728 are read");
    assertThat(JsonReader.value(json, JsonLimits.TRUSTED)).isInstanceOf(String.class);
  }

  @Test
  void aNumberOfManyDigitsIsRefused() {
    assertThatThrownBy(() -> read("1".repeat(100_000)))
        .hasMessage("Number value length (100000) exceeds the maximum allowed (1000)");
    assertThatThrownBy(() -> read("0." + "1".repeat(100_000)))
        .hasMessage("Number value length (100001) exceeds the maximum allowed (1000)");
  }

  @Test
  void anObjectWithVeryManyFieldsIsReadAndItsDuplicateFound() {
    StringBuilder json = new StringBuilder("{");
    for (int i = 0; i < 99_000; i++) {
      json.append("\"name-").append(i).append("\":").append(i).append(',');
    }
    JsonObject object = (JsonObject) read(json + "\"last\":true}");
    assertThat(object.size()).isEqualTo(99_001);
    assertThatThrownBy(() -> read(json + "\"name-7\":true}"))
        .hasMessageContaining("the field \"name-7\" occurs twice");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "22 C0 80 22", // overlong
        "22 ED A0 80 22", // a surrogate as UTF-8
        "22 FF 22",
        "22 E2 82 22", // cut short
        "22 F5 80 80 80 22", // beyond Unicode
        "7B 22 80 22 3A 31 7D" // in a name
      })
  void bytesThatAreNotUtf8AreRefused(String hex) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String octet : hex.split(" ", -1)) {
      bytes.write(Integer.parseInt(octet, 16));
    }
    assertThatThrownBy(() -> JsonReader.value(bytes.toByteArray(), JsonLimits.REQUEST))
        .isInstanceOf(JsonException.class)
        .hasMessageStartingWith("the document is not UTF-8: bad bytes at offset ");
  }

  @Test
  void aDocumentThatMustBeAnObjectSaysWhatItIsInstead() {
    assertThatThrownBy(() -> JsonReader.object("[]".getBytes(UTF_8), JsonLimits.REQUEST))
        .hasMessage("document: expected an object, found an array");
  }

  @Test
  void fieldsOfAnotherTypeThanExpectedSayWhichField() {
    JsonObject object = (JsonObject) read("{\"spec\":\"x\",\"n\":1.5,\"on\":1}");
    assertThatThrownBy(() -> object.object("spec"))
        .hasMessage("spec: expected an object, found a string");
    assertThatThrownBy(() -> object.integer("n"))
        .hasMessage("n: expected a 64-bit integer, found 1.5");
    assertThatThrownBy(() -> object.flag("on", false))
        .hasMessage("on: expected a boolean, found a number");
  }

  @Test
  void whoWantsToHearOfFieldsThatAreNamedTwiceGetsTheLastOfThem() {
    List<String> twice = new ArrayList<>();
    String json =
        "{'a':1,'b':[{'c':{}},{'c':{'d':1,'e':2,'d':3}}],'a':{'x':1,'x':2,'x':3},'':{'y':1,'y':2}}";
    Object read =
        JsonReader.value(
            json.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
            JsonLimits.REQUEST,
            twice::add);
    assertThat(read)
        .hasToString(
            "{'b':[{'c':{}},{'c':{'e':2,'d':3}}],'a':{'x':3},'':{'y':2}}".replace('\'', '"'));
    assertThat(twice).containsExactly("b[1].c.d", "a.x", "a.x", "y", "a");
  }
}
