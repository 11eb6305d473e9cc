package dev.berth.model.core;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.meta.Conditions;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodTreeTest {
  private static final PodTree EMPTY = new PodTree(tree("{}"));

  private static PodTree pod(String metadata, String spec, String status) {
    return new PodTree(
        tree("{'metadata':{%s},'spec':{%s},'status':{%s}}".formatted(metadata, spec, status)));
  }

  @Test
  void whatIsAbsentIsEmpty() {
    assertThat(EMPTY.nodeName()).isEmpty();
    assertThat(EMPTY.isBound()).isFalse();
    assertThat(EMPTY.terminating()).isFalse();
    assertThat(EMPTY.deletedWithoutGrace()).isFalse();
    assertThat(EMPTY.tolerations().isEmpty()).isTrue();
    assertThat(EMPTY.namedPorts()).isEmpty();
    assertThat(EMPTY.phase()).isEqualTo(PodPhase.PENDING);
    assertThat(EMPTY.addresses()).isEmpty();
    assertThat(EMPTY.ready()).isFalse();
    assertThat(EMPTY.condition(Condition.READY)).isEmpty();
    assertThat(EMPTY.readySince()).isEmpty();
    assertThat(EMPTY.hasRunningContainer()).isFalse();
    assertThat(EMPTY.containerStatuses()).isEmpty();
    assertThat(EMPTY.restarts()).isZero();
    assertThat(EMPTY.podAffinityTerms()).isEmpty();
    assertThat(EMPTY.hasActiveDeadline()).isFalse();
  }

  @Test
  void itSaysWhatAViewSays() {
    PodTree pod =
        pod(
            "'namespace':'a','name':'web','uid':'u','deletionTimestamp':'2030-01-01T00:00:00Z'",
            "'nodeName':'n1'",
            "'phase':'Running','conditions':[{'type':'Ready','status':'True'}]");
    PodView view = PodView.read(pod.tree());
    assertThat(pod.name()).hasToString(view.namespace() + "/" + view.name());
    assertThat(pod.uid()).isEqualTo(view.uid());
    assertThat(pod.nodeName()).isEqualTo(view.spec().nodeName());
    assertThat(pod.terminating()).isEqualTo(view.terminating());
    assertThat(pod.phase()).isEqualTo(view.phase());
    assertThat(pod.ready()).isEqualTo(view.ready());
    assertThat(pod.readSpec()).isEqualTo(view.spec());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'deletionGracePeriodSeconds':0|false",
        "'deletionTimestamp':'2030-01-01T00:00:00Z'|false",
        "'deletionTimestamp':'2030-01-01T00:00:00Z','deletionGracePeriodSeconds':30|false",
        "'deletionTimestamp':'2030-01-01T00:00:00Z','deletionGracePeriodSeconds':0|true",
      })
  void itIsDeletedWithoutGraceOnceThatWasAskedFor(String metadata, boolean expected) {
    assertThat(pod(metadata, "", "").deletedWithoutGrace()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'podIP':'10.0.0.1'|[10.0.0.1]",
        "'podIP':'10.0.0.1','podIPs':[{'ip':'10.0.0.1'},{'ip':'fd00::1'}]|[10.0.0.1, fd00::1]",
        "'podIPs':[{'ip':'fd00::1'}]|[fd00::1]",
        "'phase':'Pending'|[]",
      })
  void theListOfAddressesCountsWhereThereIsOne(String status, String addresses) {
    assertThat(pod("", "", status).addresses()).hasToString(addresses);
  }

  @Test
  void portsThatHaveNamesAreThoseOfContainersAndSidecars() {
    PodTree pod =
        pod(
            "",
            "'containers':[{'ports':[{'name':'http','containerPort':80},{'containerPort':81}]}],"
                + "'initContainers':[{'ports':[{'name':'once','containerPort':1}]},"
                + "{'restartPolicy':'Always',"
                + "'ports':[{'name':'dns','protocol':'UDP','containerPort':53}]}]",
            "");
    assertThat(pod.namedPorts())
        .containsExactly(new NamedPort("http", "TCP", 80), new NamedPort("dns", "UDP", 53));
  }

  @Test
  void affinityTermsAreThoseOfBothKindsRequiredAndPreferred() {
    PodTree pod =
        pod(
            "",
            "'affinity':{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':["
                + "{'namespaces':['a']}]},'podAntiAffinity':{"
                + "'preferredDuringSchedulingIgnoredDuringExecution':["
                + "{'weight':1,'podAffinityTerm':{'namespaceSelector':{}}}]}}",
            "");
    assertThat(pod.podAffinityTerms())
        .satisfiesExactly(
            required -> {
              assertThat(required.namespaces().texts()).containsExactly("a");
              assertThat(required.hasNamespaceSelector()).isFalse();
            },
            preferred -> {
              assertThat(preferred.namespaces().isEmpty()).isTrue();
              assertThat(preferred.hasNamespaceSelector()).isTrue();
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'status':'True','lastTransitionTime':'2030-01-01T00:00:00Z'|Optional[2030-01-01T00:00:00Z]",
        "'status':'False','lastTransitionTime':'2030-01-01T00:00:00Z'|Optional.empty",
        "'status':'True'|Optional.empty",
        "'status':'True','lastTransitionTime':'soon'|Optional.empty",
      })
  void itIsReadySinceItsConditionBecameTrue(String condition, String since) {
    PodTree pod = pod("", "", "'conditions':[{'type':'Ready',%s}]".formatted(condition));
    assertThat(pod.readySince()).hasToString(since);
  }

  @Test
  void containersSayHowTheyEndedAndHowOftenTheyWereRestarted() {
    PodTree pod =
        pod(
            "",
            "",
            "'containerStatuses':[{'name':'a','restartCount':2,'state':{'running':{}}},"
                + "{'name':'b','restartCount':1,'state':{'terminated':{'exitCode':3,'finishedAt':'1970-01-01T00:00:00Z'}}}],"
                + "'initContainerStatuses':[{'name':'i','restartCount':5}]");
    assertThat(pod.containerStatuses())
        .containsExactly(
            new ContainerStatus("a", 2, 0, null), new ContainerStatus("b", 1, 3, Instant.EPOCH));
    assertThat(pod.initContainerStatuses()).containsExactly(new ContainerStatus("i", 5, 0, null));
    assertThat(pod.restarts()).isEqualTo(3);
    assertThat(pod.initRestarts()).isEqualTo(5);
  }

  @Test
  void otherConditionsLeaveTheRestAsItWas() {
    PodTree pod = pod("'name':'p'", "", "'phase':'Running'");
    var conditions =
        Conditions.set(pod.conditions(), tree("{'type':'Ready','status':'True'}"), Instant.EPOCH);
    PodTree changed = new PodTree(pod.withConditions(conditions));
    assertThat(changed.ready()).isTrue();
    assertThat(changed.phase()).isEqualTo(PodPhase.RUNNING);
    assertThat(changed.name()).isEqualTo(pod.name());
  }
}
