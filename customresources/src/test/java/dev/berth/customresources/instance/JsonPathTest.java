package dev.berth.customresources.instance;

import static dev.berth.customresources.fixture.Documents.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonObject;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPathTest {
  private static final JsonObject OBJECT =
      object(
          """
          metadata: {labels: {app.kubernetes.io/name: web}}
          spec: {num: 5, list: [a, b, c], items: [{t: x, v: 1}, {t: w, v: 2}]}
          status: {conditions: [{type: Ready, status: 'True'}, {type: Synced, status: 'False'}]}
          """);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        ".spec.num                                      | [5]",
        ".spec.absent                                   | []",
        ".spec.list[0]                                  | [a]",
        ".spec.list[-1]                                 | [c]",
        ".spec.list[1:]                                 | [b, c]",
        ".spec.list[*]                                  | [a, b, c]",
        ".spec.list[0,2]                                | [a, c]",
        ".spec.items[*].v                               | [1, 2]",
        ".spec.items[?(@.v>1)].t                        | [w]",
        ".status.conditions[?(@.type==\"Ready\")].status | [True]",
        ".status.conditions[?(@.type=='Synced')].status | [False]",
        ".metadata.labels.app\\.kubernetes\\.io/name    | [web]",
        ".metadata.labels['app.kubernetes.io/name']     | [web]",
        "..t                                            | [x, w]",
      })
  void findsWhatKubectlWouldFind(String path, String found) {
    assertThat(JsonPath.parse(path.strip()).orElseThrow().find(OBJECT)).hasToString(found);
  }

  @ParameterizedTest
  @ValueSource(strings = {"spec", ".spec[", ".spec[?(x)]", ".spec[a]"})
  void refusesWhatIsNoPath(String path) {
    assertThat(JsonPath.parse(path)).isEmpty();
  }
}
