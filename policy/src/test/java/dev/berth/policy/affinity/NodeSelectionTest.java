package dev.berth.policy.affinity;

import static dev.berth.model.fixture.Fixtures.expressions;
import static dev.berth.model.fixture.Fixtures.fields;
import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.model.fixture.Fixtures.requirement;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.NodeView;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NodeSelectionTest {
  private static final NodeView NODE =
      node("n1").labelled("disk", "ssd").labelled("cores", "8").view();
  private static final PodFixture WEB = pod("web");

  static Stream<Arguments> requirements() {
    return Stream.of(
        argumentSet("In: one of the values", expression("disk", "In", "hdd", "ssd"), true),
        argumentSet("In: none of the values", expression("disk", "In", "hdd"), false),
        argumentSet("In: no such label", expression("gpu", "In", "a"), false),
        argumentSet("NotIn: none of the values", expression("disk", "NotIn", "hdd"), true),
        argumentSet("NotIn: one of the values", expression("disk", "NotIn", "ssd"), false),
        argumentSet("NotIn: no such label", expression("gpu", "NotIn", "a"), true),
        argumentSet("Exists: the label is there", expression("disk", "Exists"), true),
        argumentSet("Exists: it is not", expression("gpu", "Exists"), false),
        argumentSet("DoesNotExist: it is not there", expression("gpu", "DoesNotExist"), true),
        argumentSet("DoesNotExist: it is", expression("disk", "DoesNotExist"), false),
        argumentSet("Gt: greater", expression("cores", "Gt", "4"), true),
        argumentSet("Gt: equal", expression("cores", "Gt", "8"), false),
        argumentSet("Gt: as numbers, not as texts", expression("cores", "Gt", "10"), false),
        argumentSet("Lt: less", expression("cores", "Lt", "16"), true),
        argumentSet("Lt: equal", expression("cores", "Lt", "8"), false),
        argumentSet("Gt: the label is no integer", expression("disk", "Gt", "1"), false),
        argumentSet("Lt: no such label", expression("gpu", "Lt", "1"), false),
        argumentSet("Gt: the value is no integer", expression("cores", "Gt", "few"), false),
        argumentSet("malformed: Gt with two values", expression("cores", "Gt", "1", "2"), false),
        argumentSet("malformed: In without values", expression("disk", "In"), false),
        argumentSet("malformed: NotIn without values", expression("gpu", "NotIn"), false),
        argumentSet("malformed: Exists with a value", expression("disk", "Exists", "ssd"), false),
        argumentSet(
            "malformed: DoesNotExist with a value", expression("gpu", "DoesNotExist", "a"), false),
        argumentSet("malformed: unknown operator", expression("disk", "Like", "ssd"), false),
        argumentSet("field In: the name", field("metadata.name", "In", "n1"), true),
        argumentSet("field In: another name", field("metadata.name", "In", "n2"), false),
        argumentSet("field NotIn: the name", field("metadata.name", "NotIn", "n1"), false),
        argumentSet("field NotIn: another name", field("metadata.name", "NotIn", "n2"), true),
        argumentSet(
            "malformed: field with two values", field("metadata.name", "In", "n1", "n2"), false),
        argumentSet("malformed: field Exists", field("metadata.name", "Exists"), false),
        argumentSet("another field In", field("metadata.uid", "In", "n1-uid"), false),
        argumentSet("another field NotIn", field("metadata.uid", "NotIn", "x"), false),
        argumentSet(
            "all requirements of a term: both met",
            expressions(requirement("disk", "In", "ssd"), requirement("cores", "Gt", "4")),
            true),
        argumentSet(
            "all requirements of a term: one not met",
            expressions(requirement("disk", "In", "ssd"), requirement("cores", "Gt", "9")),
            false),
        argumentSet(
            "labels and fields of a term: one not met",
            expression("disk", "In", "ssd")
                .with("matchFields", JsonArray.of(requirement("metadata.name", "In", "n2"))),
            false),
        argumentSet("a term without requirements", object(), false));
  }

  private static JsonObject expression(String key, String operator, String... values) {
    return expressions(requirement(key, operator, values));
  }

  private static JsonObject field(String key, String operator, String... values) {
    return fields(requirement(key, operator, values));
  }

  @ParameterizedTest
  @MethodSource("requirements")
  void matchesOneTerm(JsonObject term, boolean allowed) {
    assertThat(NodeSelection.allows(WEB.requiringNodes(term).view().spec(), NODE))
        .isEqualTo(allowed);
  }

  @Test
  void oneOfSeveralTermsIsEnough() {
    PodFixture pod =
        WEB.requiringNodes(expression("gpu", "Exists"), expression("disk", "In", "ssd"));
    assertThat(NodeSelection.allows(pod.view().spec(), NODE)).isTrue();
  }

  @Test
  void aMalformedTermDoesNotSpoilTheOthers() {
    PodFixture pod =
        WEB.requiringNodes(expression("disk", "Like", "ssd"), expression("disk", "Exists"));
    assertThat(NodeSelection.allows(pod.view().spec(), NODE)).isTrue();
  }

  @Test
  void aSelectorWithoutTermsAllowsNoNode() {
    assertThat(NodeSelection.allows(WEB.requiringNodes().view().spec(), NODE)).isFalse();
  }

  @Test
  void withoutSelectorOrAffinityEveryNodeWillDo() {
    assertThat(NodeSelection.allows(WEB.view().spec(), NODE)).isTrue();
  }

  @Test
  void theNodeSelectorWantsAllItsLabels() {
    PodFixture ssd = WEB.selectingNodes("disk", "ssd");
    assertThat(NodeSelection.allows(ssd.view().spec(), NODE)).isTrue();
    assertThat(NodeSelection.allows(ssd.selectingNodes("cores", "16").view().spec(), NODE))
        .isFalse();
    assertThat(NodeSelection.allows(ssd.selectingNodes("gpu", "a").view().spec(), NODE)).isFalse();
  }

  @Test
  void nodeSelectorAndAffinityMustBothMatch() {
    PodFixture pod = WEB.selectingNodes("disk", "ssd").requiringNodes(expression("gpu", "Exists"));
    assertThat(NodeSelection.allows(pod.view().spec(), NODE)).isFalse();
  }

  @Test
  void preferenceIsTheWeightOfWhatMatches() {
    PodFixture pod =
        WEB.with(
            "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution",
            JsonArray.of(
                preference(10, expression("disk", "In", "ssd")),
                preference(5, expression("gpu", "Exists")),
                preference(2, expression("cores", "Gt", "4")),
                preference(1, object())));
    assertThat(NodeSelection.preference(pod.view().spec(), NODE)).isEqualTo(12);
    assertThat(NodeSelection.allows(pod.view().spec(), NODE)).isTrue();
    assertThat(NodeSelection.preference(WEB.view().spec(), NODE)).isZero();
  }

  private static JsonObject preference(long weight, JsonObject term) {
    return JsonObject.of("weight", weight).with("preference", term);
  }
}
