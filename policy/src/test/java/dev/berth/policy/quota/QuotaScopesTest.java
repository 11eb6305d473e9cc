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

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'operator':'Exists'                 | {}                                                          | false
          'operator':'Exists'                 | {'spec':{'volumeAttributesClassName':'gold'}}               | true
          'operator':'DoesNotExist'           | {}                                                          | true
          'operator':'In','values':['gold']   | {'spec':{'volumeAttributesClassName':'gold'}}               | true
          'operator':'In','values':['gold']   | {'spec':{'volumeAttributesClassName':'iron'}}               | false
          'operator':'In','values':['gold']   | {'spec':{'volumeAttributesClassName':'iron'},'status':{'currentVolumeAttributesClassName':'gold'}} | true
          'operator':'In','values':['gold']   | {'status':{'modifyVolumeStatus':{'targetVolumeAttributesClassName':'gold'}}} | true
          'operator':'NotIn','values':['gold'] | {}                                                         | true
          'operator':'NotIn','values':['gold'] | {'spec':{'volumeAttributesClassName':'gold'}}              | false
          """)
  void aClaimIsInAScopeByItsAttributesClasses(String selector, String claim, boolean covered) {
    ResourceQuotaView quota =
        ResourceQuotaView.read(
            tree(
                "{'spec':{'scopeSelector':{'matchExpressions':[{'scopeName':'VolumeAttributesClass',%s}]}}}"
                    .formatted(selector)));
    assertThat(
            QuotaScopes.covers(quota, new GroupResource("", "persistentvolumeclaims"), tree(claim)))
        .isEqualTo(covered);
    assertThat(QuotaScopes.covers(quota, new GroupResource("", "pods"), tree(claim))).isFalse();
  }

  @Test
  void aQuotaWithScopesIsAboutPodsAndClaimsAlone() {
    assertThat(
            QuotaScopes.covers(
                ResourceQuotaView.read(tree("{'spec':{'scopes':['NotTerminating']}}")),
                new GroupResource("", "configmaps"),
                tree("{}")))
        .isFalse();
  }
}
