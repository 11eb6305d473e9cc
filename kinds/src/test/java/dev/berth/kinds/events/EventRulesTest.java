package dev.berth.kinds.events;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.FieldError;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with events, in Kubernetes' words. */
class EventRulesTest {
  private static final String NEWER =
      "'eventTime':'2030-01-01T00:00:00.000000Z','reportingComponent':'a.b/c',"
          + "'reportingInstance':'i','action':'Act','reason':'Why'";

  @ParameterizedTest(name = "{0}, {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          a|'involvedObject':{'namespace':'a'}|``
          a|'involvedObject':{'namespace':'b'}|involvedObject.namespace: Invalid value: 'b': does not match event.namespace
          default|'involvedObject':{}|``
          kube-system|'involvedObject':{}|involvedObject.namespace: Invalid value: '': does not match event.namespace
          kube-system|NEWER|``
          a|NEWER|involvedObject.namespace: Invalid value: '': does not match event.namespace
          a|NEWER,'involvedObject':{'namespace':'b'}|``
          default|'eventTime':'2030-01-01T00:00:00.000000Z','reportingComponent':'a'|[reportingInstance: Required value, action: Required value, reason: Required value]
          """)
  void events(String namespace, String fields, String problem) {
    List<FieldError> errors =
        new EventRules()
            .validate(
                tree(
                    "{'metadata':{'name':'e','namespace':'%s'},%s}"
                        .formatted(namespace, fields.replace("NEWER", NEWER))));

    assertThat(errors.isEmpty() ? "" : FieldError.join(errors).replace('"', '\''))
        .isEqualTo(problem);
  }
}
