package dev.berth.kinds.events;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
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

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          NEWER,'type':'Normal'|``
          'type':'Normal'|[involvedObject.namespace: Invalid value: '': does not match event.namespace, eventTime: Required value]
          NEWER,'type':'Bad'|type: Invalid value: '': has invalid value: Bad
          NEWER,'type':'Normal','count':1,'source':{'host':'h'}|[count: Invalid value: '': needs to be unset, source: Invalid value: '': needs to be unset]
          NEWER,'type':'Normal','series':{'count':1}|[series.count: Invalid value: '': should be at least 2, series.lastObservedTime: Required value]
          """)
  void eventsOfTheNewerGroup(String fields, String problem) {
    List<FieldError> errors = new StrictEventRules().validate(newer(fields));

    assertThat(errors.isEmpty() ? "" : FieldError.join(errors).replace('"', '\''))
        .isEqualTo(problem);
  }

  /** Names of the core group's events may be anything that a path can hold; these are names. */
  @Test
  void eventsOfTheNewerGroupHaveNames() {
    JsonObject event = tree("{'metadata':{'name':'E','namespace':'default'},'type':'Normal'}");
    assertThat(FieldError.join(new StrictEventRules().validate(event)))
        .contains("metadata.name: Invalid value: \"E\": a lowercase RFC 1123 subdomain");
    assertThat(FieldError.join(new EventRules().validate(event))).doesNotContain("metadata.name");
  }

  @Test
  void nothingOfThemChangesButTheirSeries() {
    JsonObject old = newer("NEWER,'type':'Normal'");
    JsonObject counted =
        newer(
            "NEWER,'type':'Normal','series':{'count':2,'lastObservedTime':'2030-01-01T00:00:01.000000Z'}");
    assertThat(new StrictEventRules().validateReplacing(counted, old)).isEmpty();
    assertThat(new StrictEventRules().validateUpdate(counted, old)).isEmpty();
    assertThat(
            FieldError.join(
                new StrictEventRules().validateUpdate(counted.with("action", "Other"), old)))
        .isEqualTo("action: Invalid value: \"Other\": field is immutable");
  }

  /** Also what is absent, in the form and with the zeros that Kubernetes has inside. */
  @Test
  void whatMayNotChangeIsShownAsKubernetesHasIt() {
    JsonObject old = newer("'source':{'component':'c'},'count':1,'involvedObject':{'kind':'Pod'}");
    assertThat(FieldError.join(new StrictEventRules().validateUpdate(newer("'count':0"), old)))
        .isEqualTo(
            "[involvedObject: Invalid value: {\"Kind\":\"\",\"Namespace\":\"\",\"Name\":\"\","
                + "\"UID\":\"\",\"APIVersion\":\"\",\"ResourceVersion\":\"\",\"FieldPath\":\"\"}:"
                + " field is immutable, source: Invalid value: {\"Component\":\"\",\"Host\":\"\"}:"
                + " field is immutable, count: Invalid value: 0: field is immutable]");
  }

  @Test
  void theNewerGroupLeavesOutAnEmptyReporter() {
    JsonObject core = tree("{'metadata':{},'reportingComponent':'','reportingInstance':''}");
    assertThat(EventForms.fromCore(core).names()).containsExactly("kind", "apiVersion", "metadata");
  }

  private static JsonObject newer(String fields) {
    return tree(
        "{'metadata':{'name':'e','namespace':'kube-system'},%s}"
            .formatted(fields.replace("NEWER", NEWER)));
  }
}
