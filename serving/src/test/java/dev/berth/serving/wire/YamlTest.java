package dev.berth.serving.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kinds.BuiltIns;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.yaml.YamlException;
import dev.berth.model.yaml.YamlReader;
import dev.berth.model.yaml.YamlWriter;
import dev.berth.wire.fixture.FullObjects;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** YAML is read as Kubernetes reads it, and written so that everybody reads the same. */
class YamlTest {

  private static Object read(String yaml) {
    return YamlReader.value(
        yaml.getBytes(UTF_8),
        JsonLimits.REQUEST,
        problem -> {
          throw new AssertionError(problem);
        });
  }

  private static Object json(String text) {
    return JsonReader.value(text.replace('\'', '"').getBytes(UTF_8), JsonLimits.REQUEST);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          word            | 'word'
          "1"             | '1'
          !!str 1         | '1'
          ~               | null
          Null            | null
          yes             | true
          y               | true
          Off             | false
          YeS             | 'YeS'
          12              | 12
          -7              | -7
          +7              | 7
          0x1F            | 31
          0777            | 511
          0o17            | 15
          0b101           | 5
          1_000           | 1000
          08              | 08.
          9223372036854775808 | 9223372036854775808
          1.50            | 1.50
          .5              | 0.5
          1e3             | 1e3
          2026-01-31      | '2026-01-31'
          10:30           | '10:30'
          100m            | '100m'
          [a, {b: 1}]     | ['a',{'b':1}]
          {1: a, true: b} | {'1':'a','true':'b'}
          {}              | {}
          """)
  void scalarsMeanWhatTheyMeanToKubernetes(String yaml, String expected) {
    // An octal number has no 8, so this is a number with a fraction, of which there is none.
    Object meant = expected.equals("08.") ? json("8.0") : json(expected);
    assertThat(read(yaml)).isEqualTo(meant);
  }

  @Test
  void aliasesAndMergesStandForWhatTheyName() {
    assertThat(
            read(
                """
                base: &b {v: 1, w: 2}
                same: *b
                more: {<<: *b, w: 3}
                most: {<<: [*b, {z: 4}]}
                text: |
                  two
                  lines
                """))
        .isEqualTo(
            json(
                "{'base':{'v':1,'w':2},'same':{'v':1,'w':2},'more':{'v':1,'w':3},"
                    + "'most':{'v':1,'w':2,'z':4},'text':'two\\nlines\\n'}"));
  }

  @Test
  void ofKeysThatOccurTwiceTheLastCounts() {
    List<String> problems = new ArrayList<>();
    byte[] yaml = "a: 1\nb: {c: 1, c: 2}\na: 3\n".getBytes(UTF_8);
    assertThat(YamlReader.value(yaml, JsonLimits.REQUEST, problems::add))
        .isEqualTo(json("{'a':3,'b':{'c':2}}"));
    assertThat(problems)
        .containsExactly(
            "line 2: key \"c\" already set in map", "line 3: key \"a\" already set in map");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a: *b           | yaml: line 1: unknown anchor 'b' referenced
          a: .nan         | yaml: line 1: the number .nan is not finite
          {[1]: 2}        | yaml: line 1: a key is a string, a number or a boolean
          !thing x        | yaml: line 1: the tag !thing is not understood
          {<<: 1}         | yaml: line 1: map merge requires map or sequence of maps as the value
          a: {            | yaml: line 1: expected the node content, but found '<stream end>'
          """)
  void saysWhatIsWrongAndWhere(String yaml, String message) {
    assertThatThrownBy(() -> read(yaml)).isInstanceOf(YamlException.class).hasMessage(message);
  }

  @Test
  void aSecondDocumentIsRefusedUnlessItIsEmpty() {
    assertThat(read("a: 1\n---\n")).isEqualTo(json("{'a':1}"));
    assertThatThrownBy(() -> read("a: 1\n---\nb: 2\n"))
        .hasMessage("yaml: line 2: a second document begins, expected one");
  }

  @Test
  void aDocumentThatGrowsWithoutEndIsRefused() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 12; i++) {
      String before = "*a" + (i - 1);
      bomb.append(
          "a%d: &a%d [%s]\n"
              .formatted(
                  i,
                  i,
                  String.join(
                      ",",
                      List.of(before, before, before, before, before, before, before, before))));
    }
    assertThatThrownBy(() -> read(bomb.toString()))
        .hasMessage("yaml: document contains excessive aliasing");
  }

  @Test
  void depthIsBoundedAlsoThroughAliases() {
    assertThatThrownBy(() -> read("[".repeat(600) + "]".repeat(600)))
        .hasMessage("yaml: line 1: nested deeper than 512 levels");
    StringBuilder steps = new StringBuilder("a0: &a0 " + "[".repeat(300) + "]".repeat(300) + "\n");
    steps.append("a1: ").append("[".repeat(300)).append("*a0").append("]".repeat(300));
    assertThatThrownBy(() -> read(steps.toString()))
        .hasMessage("yaml: line 2: nested deeper than 512 levels");
  }

  @Test
  void everyKindOfObjectIsReadBackAsItWasWritten() {
    for (var version : BuiltIns.catalog().versions()) {
      for (Resource resource : BuiltIns.catalog().resources(version)) {
        JsonObject object = FullObjects.of(resource.kind());
        assertThat(read(new String(YamlWriter.toBytes(object), UTF_8))).isEqualTo(object);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "yes",
        "No",
        "null",
        "~",
        "1",
        "1e3",
        "0x1",
        ".5",
        "2026-01-31",
        "a: b",
        "a #b",
        "- a",
        "a:",
        ":a",
        "nginx:1.27",
        "two words",
        "two  words",
        "tab\there",
        "line\nbreak",
        "\u0085\u2028\u2029\ufeff\u007f",
        "quote\"d",
        "back\\slash",
        "üb 🛳",
        "{a}",
        "[a]",
        "*a",
        "&a",
        "!a",
        "%a",
        "@a",
        "`a",
        "<<",
        "=",
        "key=value",
        "/a/b",
        "a,b",
        "trailing "
      })
  void textIsReadBackAsText(String text) {
    JsonObject object = JsonObject.of(text, text);
    assertThat(read(new String(YamlWriter.toBytes(object), UTF_8))).isEqualTo(object);
  }

  @Test
  void isWrittenInBlocksInAlphabeticalOrder() {
    Object tree =
        json(
            "{'kind':'Pod','apiVersion':'v1','spec':{'containers':[{'name':'a','args':['-x','yes']},"
                + "{}],'empty':[],'none':null,'n':1.50,'on':true}}");
    assertThat(new String(YamlWriter.toBytes(tree), UTF_8))
        .isEqualTo(
            """
            apiVersion: v1
            kind: Pod
            spec:
              containers:
              - args:
                - "-x"
                - "yes"
                name: a
              - {}
              empty: []
              "n": 1.50
              none: null
              "on": true
            """);
  }
}
