package dev.berth.model.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TreeMemoTest {
  private final List<JsonObject> asked = new ArrayList<>();
  private final TreeMemo<String> memo =
      new TreeMemo<>(tree -> {
        asked.add(tree);
        return tree.toString();
      });

  private static JsonObject read(String json) {
    return JsonReader.object(json.getBytes(UTF_8), JsonLimits.TRUSTED);
  }

  @Test
  void anEqualTreeIsNotWorkedOutAgain() {
    String json = "{\"a\":[{\"b\":1},true,null,1.5],\"c\":\"d\"}";

    assertThat(memo.of(read(json))).isEqualTo(memo.of(read(json))).isEqualTo(json);
    assertThat(asked).hasSize(1);
  }

  @Test
  void treesThatDifferAnywhereAreWorkedOutByThemselves() {
    List<String> all =
        List.of(
            "{\"a\":[{\"b\":1}]}",
            "{\"a\":[{\"b\":2}]}",
            "{\"a\":[{\"c\":1}]}",
            "{\"a\":{\"b\":1}}",
            "{\"a\":[{\"b\":\"1\"}]}",
            "{\"a\":[{\"b\":1},{}]}",
            "{}");
    for (int i = 0; i < 3; i++) {
      for (String json : all) {
        assertThat(memo.of(read(json))).isEqualTo(json);
      }
    }
  }

  /** They are equal, but what is made of them may not be. */
  @Test
  void treesWithFieldsInAnotherOrderAreOthers() {
    assertThat(memo.of(read("{\"a\":1,\"b\":1}"))).isEqualTo("{\"a\":1,\"b\":1}");
    assertThat(memo.of(read("{\"b\":1,\"a\":1}"))).isEqualTo("{\"b\":1,\"a\":1}");
  }

  @Test
  void largeTreesAreNotKept() {
    JsonObject large = JsonObject.of("text", "x".repeat(5_000));
    var _ = memo.of(large);
    var _ = memo.of(large);

    assertThat(asked).hasSize(2);
  }

  @Test
  void aFailureIsNotKept() {
    List<JsonObject> tried = new ArrayList<>();
    TreeMemo<String> failing =
        new TreeMemo<>(tree -> {
          tried.add(tree);
          throw new JsonException("no");
        });
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> failing.of(JsonObject.EMPTY)).hasMessage("no");
    }
    assertThat(tried).hasSize(2);
  }
}
