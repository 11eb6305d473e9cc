package dev.berth.model.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects with very many fields, and documents with very much of anything. */
class WideObjectTest {
  private static final int WIDE = 5_000;

  private static JsonObject wide(String prefix) {
    JsonObject.Builder wide = new JsonObject.Builder();
    for (int i = 0; i < WIDE; i++) {
      wide.put(prefix + i, (long) i);
    }
    return wide.build();
  }

  @Test
  void findsEachField() {
    JsonObject wide = wide("f");
    for (int i = 0; i < WIDE; i++) {
      assertThat(wide.get("f" + i)).isEqualTo((long) i);
      assertThat(wide.has("g" + i)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 16, 47, 48, 49, 126, 127, 128, 129, 300})
  void findsEachFieldWhicheverWayItIsLookedUp(int fields) {
    JsonObject.Builder builder = new JsonObject.Builder();
    for (int i = 0; i < fields; i++) {
      builder.put("f" + i, (long) i);
    }
    JsonObject object = builder.build();
    for (int i = 0; i < fields; i++) {
      assertThat(object.get("f" + i)).isEqualTo((long) i);
      assertThat(object.get("f" + (fields + i))).isNull();
    }
  }

  @Test
  void tellsNamesOfTheSameHashApart() {
    JsonObject object = JsonObject.of("AaAa", 1L).with("BBBB", 2L).with("AaBB", 3L);
    assertThat(object.get("AaAa")).isEqualTo(1L);
    assertThat(object.get("BBBB")).isEqualTo(2L);
    assertThat(object.get("AaBB")).isEqualTo(3L);
    assertThat(object.get("BBAa")).isNull();
  }

  @Test
  void findsNamesOfTheSameHash() {
    String[] names = {"AaAa", "BBBB", "AaBB", "other", "BBAa"};
    NameIndex index = new NameIndex(names);
    for (int i = 0; i < names.length; i++) {
      assertThat(index.find(names[i])).isEqualTo(i);
    }
    assertThat(index.find("BBBb")).isNegative();
  }

  @Test
  void fillsInWhatAnotherHasAndItLacks() {
    JsonObject own = wide("f").with("x", 1L);
    JsonObject all = own.withMissing(wide("g").with("x", 2L));
    assertThat(all.size()).isEqualTo(2 * WIDE + 1);
    assertThat(all.get("x")).isEqualTo(1L);
    assertThat(own.withMissing(wide("f"))).isSameAs(own);
  }

  @Test
  void keepsNoLongNamesOfWhatItRead() {
    String name = "long".repeat(1_000);
    JsonObject read = (JsonObject) read("{\"" + name + "\":1}");
    assertThat(read.get(name)).isEqualTo(1L);
    assertThat(Shapes.find(new String[] {name}, 0, 1)).isNull();
    JsonObject shorter = (JsonObject) read("{\"a name that others have\":1}");
    assertThat(Shapes.find(new String[] {"a name that others have"}, 0, 1))
        .isSameAs(shorter.shape());
  }

  @Test
  void tellsOfTheFirstFieldsThatAreNamedTwice() {
    List<String> told = new ArrayList<>();
    String fields = "\"a\":1,".repeat(WIDE);
    Object read =
        JsonReader.value(
            ("{" + fields + "\"a\":2}").getBytes(UTF_8), JsonLimits.REQUEST, told::add);
    assertThat(told).hasSize(JsonLimits.MOST_ODDITIES);
    assertThat(read).isEqualTo(JsonObject.of("a", 2L));
  }

  @Test
  void readsNoMoreValuesThanItMay() {
    JsonLimits limits = new JsonLimits(1_000, 10, 5);
    assertThat(JsonReader.value("[1,2,3,4,5]".getBytes(UTF_8), limits))
        .isInstanceOf(JsonArray.class);
    assertThatThrownBy(() -> JsonReader.value("[1,2,3,4,5,6]".getBytes(UTF_8), limits))
        .isInstanceOf(JsonException.class)
        .hasMessageEndingWith("the document has more than 5 fields and elements");
    assertThatThrownBy(() -> JsonReader.value("{\"a\":[{},{},{},{},{}]}".getBytes(UTF_8), limits))
        .isInstanceOf(JsonException.class);
  }

  private static Object read(String json) {
    return JsonReader.value(json.getBytes(UTF_8), JsonLimits.REQUEST);
  }

  @Test
  void refusesNamesThatWereMadeToCollide() {
    JsonObject.Builder colliding = new JsonObject.Builder();
    for (int i = 0; i < 2_000; i++) {
      StringBuilder name = new StringBuilder();
      for (int bit = 0; bit < 11; bit++) {
        name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      colliding.put(name.toString(), 1L);
    }
    assertThatThrownBy(colliding::build)
        .isInstanceOf(JsonException.class)
        .hasMessage("more than 1000 fields of one object have names of the same hash");
  }
}
