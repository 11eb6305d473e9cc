package dev.berth.model.tree;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.time.fixture.SeededTest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class JsonObjectTest {

  @Test
  void orderIsKeptButDoesNotCountForEquality() {
    JsonObject one = tree("{\"a\":1,\"b\":[2]}");
    JsonObject other = tree("{\"b\":[2],\"a\":1}");
    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
    assertThat(one).hasToString("{\"a\":1,\"b\":[2]}");
    assertThat(one).isNotEqualTo(tree("{\"a\":1,\"c\":[2]}")).isNotEqualTo(tree("{\"a\":1}"));
  }

  @Test
  void orderInArraysCounts() {
    assertThat(tree("{\"a\":[1,2]}")).isNotEqualTo(tree("{\"a\":[2,1]}"));
  }

  @Test
  void manyFieldsInAnotherOrderAreEqual() {
    JsonObject.Builder up = new JsonObject.Builder();
    JsonObject.Builder down = new JsonObject.Builder();
    for (int i = 0; i < 200; i++) {
      up.put("f" + i, (long) i);
      down.put("f" + (199 - i), (long) (199 - i));
    }
    assertThat(up.build()).isEqualTo(down.build()).hasSameHashCodeAs(down.build());
    assertThat(up.build()).isNotEqualTo(down.put("f3", "x").build());
  }

  @Test
  void anUpdateSharesWhatDidNotChange() {
    JsonObject pod = tree("{\"metadata\":{\"name\":\"web\"},\"spec\":{\"nodeName\":\"n1\"}}");
    JsonObject bound = (JsonObject) FieldPath.of("spec", "nodeName").set(pod, "n2");
    assertThat(bound.object("spec").text("nodeName")).isEqualTo("n2");
    assertThat(pod.object("spec").text("nodeName")).isEqualTo("n1");
    assertThat(bound.get("metadata")).isSameAs(pod.get("metadata"));
  }

  @Test
  void anUpdateThatChangesNothingIsTheSameTree() {
    JsonObject pod = tree("{\"spec\":{\"nodeName\":\"n1\",\"containers\":[{\"name\":\"c\"}]}}");
    assertThat(FieldPath.parse("spec.containers[0].name").set(pod, "c")).isSameAs(pod);
    assertThat(FieldPath.parse("spec.absent").remove(pod)).isSameAs(pod);
    assertThat(pod.with("spec", tree("{\"containers\":[{\"name\":\"c\"}],\"nodeName\":\"n1\"}")))
        .isSameAs(pod);
  }

  @Test
  void objectsWithTheSameFieldsShareTheirNames() {
    JsonObject one = tree("{\"type\":\"Ready\",\"status\":\"True\"}");
    JsonObject other = tree("{\"type\":\"DiskPressure\",\"status\":\"True\"}");
    assertThat(one.name(0)).isSameAs(other.name(0));
    assertThat(one.value(1)).isSameAs(other.value(1));
  }

  @SeededTest(fixed = 3, fresh = 1)
  void randomChangesAgreeWithAMap(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 50; round++) {
      JsonObject object = JsonObject.EMPTY;
      Map<String, Object> map = new LinkedHashMap<>();
      for (int step = 0; step < 100; step++) {
        String name = "f" + random.nextInt(25);
        if (random.nextInt(3) == 0) {
          object = object.without(name);
          map.remove(name);
        } else {
          object = object.with(name, (long) step);
          map.put(name, (long) step);
        }
        assertThat(object.names()).containsExactlyElementsOf(map.keySet());
      }
      JsonObject last = object;
      map.forEach((name, value) -> assertThat(last.get(name)).isEqualTo(value));
    }
  }

  @Test
  void theBuilderReplacesAFieldThatIsSetAgain() {
    assertThat(new JsonObject.Builder().put("a", 1L).put("b", 2L).put("a", 3L).build())
        .hasToString("{\"a\":3,\"b\":2}");
  }

  @Test
  void whatATreeCannotHoldIsRefusedWhereItIsPutIn() {
    assertThatThrownBy(() -> JsonObject.EMPTY.with("a", 1)).hasMessageContaining("Integer");
    assertThatThrownBy(() -> JsonArray.of(1.5)).hasMessageContaining("Double");
  }

  @Test
  void anObjectWithinIsChangedAndTheRestStays() {
    JsonObject before = tree("{'a':{'x':1},'b':2}");
    assertThat(before.update("a", a -> a.with("y", 3L)))
        .isEqualTo(tree("{'a':{'x':1,'y':3},'b':2}"));
    assertThat(before.update("a", a -> a.without("x"))).isEqualTo(tree("{'a':{},'b':2}"));
    assertThat(before.update("c", c -> c.with("z", 4L)))
        .isEqualTo(tree("{'a':{'x':1},'b':2,'c':{'z':4}}"));
  }

  @Test
  void aChangeWithinThatChangesNothingLeavesTheVeryObject() {
    JsonObject before = tree("{'a':{'x':1}}");
    assertThat(before.update("a", a -> a.with("x", 1L))).isSameAs(before);
    assertThat(before.update("c", c -> c.without("z"))).isSameAs(before);
  }
}
