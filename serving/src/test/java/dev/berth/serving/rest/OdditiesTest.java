package dev.berth.serving.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * In which order a client hears of unknown fields and of those that are there twice: upstream's own
 * tests compare it.
 */
class OdditiesTest {
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "",
      textBlock =
          """
          built in   | {'a':1,'a':2}                    | `` | duplicate field 'a'
          built in   | {'u':1,'a':1,'a':2,'v':1}        | u,v | unknown field 'u', duplicate field 'a', unknown field 'v'
          built in   | {'s':{'b':1,'u':1,'b':2},'a':[{'c':1,'c':2}]} | s.u | unknown field 's.u', duplicate field 's.b', duplicate field 'a[0].c'
          built in   | {'u':{'x':1,'x':2},'u':3}        | u | unknown field 'u'
          custom     | {'u':1,'a':1,'a':2,'metadata':{}} | u,metadata.x,s.metadata.y,b | duplicate field 'a', unknown field 'metadata.x', unknown field 'b', unknown field 'u', unknown field 's.metadata.y'
          patch      | {'u':1,'a':1,'a':2}              | u,b | duplicate field 'a', unknown field 'b', unknown field 'u'
          operations | [{'op':'add','path':'/a','value':{'x':1,'x':2},'foo':1},{'path':'/a','path':'/b'}] | u | json patch unknown field '[0].foo', json patch duplicate field '[1].path', unknown field 'u'
          """)
  void areToldInUpstreamsOrder(String kind, String text, String unknown, String told) {
    Document document = Document.json(text.replace('\'', '"').getBytes(UTF_8));
    List<String> fields = unknown == null ? List.of() : List.of(unknown.split(","));
    Oddities oddities =
        switch (kind) {
          case "built in" -> document.oddities(fields, false);
          case "custom" -> document.oddities(fields, true);
          default -> document.patchOddities(fields, kind.equals("operations"));
        };
    assertThat(oddities.error()).isEqualTo("strict decoding error: " + told.replace('\'', '"'));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(delimiter = '|', textBlock = "a: 1\\nb:\\n  c: 1\\n  c: 2\\na: 2\\nz: 1\\nu: 1|z,u")
  void linesOfYamlAreToldAsOne(String text, String unknown) {
    Document document = Document.yaml(text.replace("\\n", "\n").getBytes(UTF_8));
    Oddities oddities = document.oddities(List.of(unknown.split(",")), false);
    assertThat(oddities.error())
        .isEqualTo(
            """
            strict decoding error: yaml: unmarshal errors:
              line 4: key "c" already set in map
              line 5: key "a" already set in map, unknown field "u", unknown field "z\"\
            """);
    assertThat(oddities.warnings()).hasSize(4);
  }
}
