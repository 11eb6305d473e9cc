package dev.berth.model.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.time.fixture.SeededTest;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRoundTripTest {

  @SeededTest(fixed = 3, fresh = 2)
  void readingWhatWasWrittenGivesTheSameTreeAndTheSameBytes(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 1_000; round++) {
      Object tree = read(AnyJson.document(random).getBytes(UTF_8));
      byte[] written = JsonWriter.toBytes(tree);
      Object again = read(written);
      assertThat(again).as("round %d", round).isEqualTo(tree).hasSameHashCodeAs(tree);
      assertThat(JsonWriter.toBytes(again)).as("round %d", round).isEqualTo(written);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.50",
        "1e3",
        "-0",
        "-0.0",
        "123456789012345678901234567890",
        "-9223372036854775808",
        "0.10000000000000000000000000001",
        "\"2Gi\"",
        "\"é 節 😀\"",
        "{\"b\":1,\"a\":{\"z\":null,\"y\":[]}}",
        "[[],{},[{}]]"
      })
  void whatIsWrittenCompactlyComesBackToTheLetter(String json) {
    assertThat(JsonWriter.toText(read(json.getBytes(UTF_8)))).isEqualTo(json);
  }

  @Test
  void bytesAreThoseOfGosEncoder() {
    String text = "a && b < c > d 'e' / \u001b \b\f\n\r\t \u007f \u2028 \u2029 節";
    assertThat(new String(JsonWriter.toBytes(text), UTF_8))
        .isEqualTo(
            "\"a \\u0026\\u0026 b \\u003c c \\u003e d 'e' / \\u001b \\b\\f\\n\\r\\t \u007f \\u2028 \\u2029 節\"");
    assertThat(read(JsonWriter.toBytes(text))).isEqualTo(text);
  }

  @SeededTest(fixed = 3, fresh = 2)
  void damagedDocumentsGiveATreeOrAClearErrorAndNeverAnythingElse(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int refused = 0;
    for (int round = 0; round < 4_000; round++) {
      byte[] json = AnyJson.document(random).getBytes(UTF_8);
      byte[] damaged = Arrays.copyOf(json, random.nextInt(json.length + 1));
      for (int i = random.nextInt(4); i > 0 && damaged.length > 0; i--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      try {
        Object tree = read(damaged);
        assertThat(read(JsonWriter.toBytes(tree))).as("round %d", round).isEqualTo(tree);
      } catch (JsonException e) {
        assertThat(e.getMessage()).as("round %d", round).isNotBlank();
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(2_000);
  }

  private static Object read(byte[] json) {
    return JsonReader.value(json, JsonLimits.REQUEST);
  }
}
