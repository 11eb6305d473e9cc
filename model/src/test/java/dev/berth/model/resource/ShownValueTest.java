package dev.berth.model.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShownValueTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          spec.template.metadata.labels        | {'z':'1','a':'2'} | {'a':'2','z':'1'}
          spec.template.metadata.labels[z]     | {'z':'1','a':'2'} | {'a':'2','z':'1'}
          spec.selector                        | {'matchExpressions':[{'values':['2','1'],'operator':'In','key':'k'}],'matchLabels':{'z':'1','a':'2'}} | {'matchLabels':{'a':'2','z':'1'},'matchExpressions':[{'key':'k','operator':'In','values':['2','1']}]}
          spec.claims[0]                       | {'name':'z','kind':'a'} | {'name':'z','kind':'a'}
          metadata.annotations                 | {'a':'<b>&'} | {'a':'\\u003cb\\u003e\\u0026'}
          """)
  void isInUpstreamsOrder(String field, String value, String shown) {
    Object tree =
        JsonReader.object(
            value.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.TRUSTED);
    assertThat(ShownValue.of(field, tree)).isEqualTo(shown.replace('\'', '"'));
  }
}
