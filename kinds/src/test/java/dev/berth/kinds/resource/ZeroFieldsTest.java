package dev.berth.kinds.resource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Kubernetes writes though nobody said it. */
class ZeroFieldsTest {
  private static final ZeroFields ZEROS = ZeroFields.builtIn();

  private static JsonObject tree(String json) {
    return JsonReader.object(json.getBytes(UTF_8), JsonLimits.REQUEST);
  }

  private static GroupVersionKind kind(String apiVersion, String kind) {
    int slash = apiVersion.indexOf('/');
    return new GroupVersionKind(
        slash < 0 ? "" : apiVersion.substring(0, slash), apiVersion.substring(slash + 1), kind);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          v1             | Service     | {"metadata":{},"spec":{},"status":{"loadBalancer":{}}}
          apps/v1        | ReplicaSet  | {"metadata":{},"spec":{"selector":null,"template":{"metadata":{},"spec":{"containers":null}}},"status":{"replicas":0}}
          batch/v1       | CronJob     | {"metadata":{},"spec":{"schedule":"","jobTemplate":{"metadata":{},"spec":{"template":{"metadata":{},"spec":{"containers":null}}}}},"status":{}}
          v1             | ConfigMap   | {"metadata":{}}
          example.com/v1 | Widget      | {"metadata":{}}
          """)
  void aNewObjectIsMadeOf(String apiVersion, String kind, String zero) {
    assertThat(ZEROS.zero(kind(apiVersion, kind))).isEqualTo(tree(zero));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          in elements of lists | {"spec":{"containers":[{"name":"c"}]}}     | {"spec":{"containers":[{"name":"c","resources":{}}]}}
          times are null       | {"status":{"conditions":[{"type":"a","status":"b"}]}} | {"status":{"conditions":[{"type":"a","status":"b","lastProbeTime":null,"lastTransitionTime":null}]}}
          quantities are 0     | {"spec":{"containers":[{"name":"c","resources":{},"env":[{"name":"a","valueFrom":{"resourceFieldRef":{"resource":"b"}}}]}]}} | {"spec":{"containers":[{"name":"c","resources":{},"env":[{"name":"a","valueFrom":{"resourceFieldRef":{"resource":"b","divisor":"0"}}}]}]}}
          """)
  void addsWhatIsMissing(String rule, String object, String filled) {
    JsonObject base = tree("{\"metadata\":{},\"spec\":{\"containers\":null},\"status\":{}}");
    GroupVersionKind pod = kind("v1", "Pod");
    assertThat(ZEROS.fill(tree(object), pod)).as(rule).isEqualTo(tree(filled).withMissing(base));
  }

  @Test
  void leavesAnObjectThatHasThemAll() {
    GroupVersionKind pod = kind("v1", "Pod");
    JsonObject filled = ZEROS.fill(tree("{\"spec\":{\"containers\":[{\"name\":\"c\"}]}}"), pod);
    assertThat(ZEROS.fill(filled, pod)).isSameAs(filled);
  }

  @Test
  void doesNotLookIntoWhatIsSharedWithAnObjectThatHasThem() {
    GroupVersionKind pod = kind("v1", "Pod");
    JsonObject known = tree("{\"spec\":{\"containers\":[{\"name\":\"c\"}]}}");
    assertThat(ZEROS.fill(known.with("kind", "Pod"), known, pod).get("spec"))
        .isSameAs(known.get("spec"));
  }
}
