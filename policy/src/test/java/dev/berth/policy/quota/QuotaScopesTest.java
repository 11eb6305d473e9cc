package dev.berth.policy.quota;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.namespace.ResourceQuotaView;
import dev.berth.model.resource.GroupResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which objects a quota is about. */
class QuotaScopesTest {
  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'scopes':['Terminating']|'activeDeadlineSeconds':5|true",
        "'scopes':['Terminating']||false",
        "'scopes':['NotTerminating']||true",
        "'scopes':['BestEffort']||true",
        "'scopes':['NotBestEffort']||false",
        "'scopes':['BestEffort','Terminating']||false",
        "'scopes':['PriorityClass']|'priorityClassName':'a'|true",
        "'scopes':['PriorityClass']||false",
        "'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'NotIn',"
            + "'values':['a']}]}|'priorityClassName':'a'|false",
        "'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':"
            + "'DoesNotExist'}]}||true",
        "'scopes':['CrossNamespacePodAffinity']|'affinity':{'podAffinity':{"
            + "'requiredDuringSchedulingIgnoredDuringExecution':[{'namespaces':['x']}]}}|true",
        "'scopes':['CrossNamespacePodAffinity']||false",
        "'hard':{}||true",
      })
  void aPodIsInAScopeOrNot(String quota, String pod, boolean covered) {
    assertThat(
            QuotaScopes.covers(
                ResourceQuotaView.read(tree("{'spec':{%s}}".formatted(quota))),
                new GroupResource("", "pods"),
                tree("{'spec':{%s}}".formatted(pod == null ? "" : pod))))
        .isEqualTo(covered);
  }

  @Test
  void aQuotaWithScopesIsAboutPodsAlone() {
    assertThat(
            QuotaScopes.covers(
                ResourceQuotaView.read(tree("{'spec':{'scopes':['NotTerminating']}}")),
                new GroupResource("", "configmaps"),
                tree("{}")))
        .isFalse();
  }
}
