package dev.berth.model.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRoundTripTest {

  @Test
  void readingWhatWasWrittenGivesTheSameTreeAndTheSameBytes() {
    for (long seed = 0; seed < 5_000; seed++) {
      Object tree = read(AnyJson.document(seed).getBytes(UTF_8));
      byte[] written = JsonWriter.toBytes(tree);
      Object again = read(written);
      assertThat(again).as("seed %d", seed).isEqualTo(tree).hasSameHashCodeAs(tree);
      assertThat(JsonWriter.toBytes(again)).as("seed %d", seed).isEqualTo(written);
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
  void damagedDocumentsGiveATreeOrAClearErrorAndNeverAnythingElse() {
    int refused = 0;
    for (long seed = 0; seed < 20_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] json = AnyJson.document(seed % 500).getBytes(UTF_8);
      byte[] damaged = Arrays.copyOf(json, random.nextInt(json.length + 1));
      for (int i = random.nextInt(4); i > 0 && damaged.length > 0; i--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      try {
        Object tree = read(damaged);
        assertThat(read(JsonWriter.toBytes(tree))).as("seed %d", seed).isEqualTo(tree);
      } catch (JsonException e) {
        assertThat(e.getMessage()).as("seed %d", seed).isNotBlank();
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(10_000);
  }

  private static Object read(byte[] json) {
    return JsonReader.value(json, JsonLimits.REQUEST);
  }
}
