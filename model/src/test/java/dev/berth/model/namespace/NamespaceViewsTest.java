package dev.berth.model.namespace;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.ResourceList;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class NamespaceViewsTest {

  @Test
  void aNamespaceShowsWhoEmptiesIt() {
    NamespaceView namespace =
        NamespaceView.read(
            tree(
                "{'metadata':{'name':'a','deletionTimestamp':'2030-01-01T00:00:00Z'},"
                    + "'spec':{'finalizers':['kubernetes']}}"));
    assertThat(namespace.terminating()).isTrue();
    assertThat(namespace.finalizers()).containsExactly("kubernetes");
    assertThat(NamespaceView.read(JsonObject.EMPTY).finalizers()).isEmpty();
  }

  @Test
  void theScopesOfAQuotaAreThoseOfBothFields() {
    ResourceQuotaView quota =
        ResourceQuotaView.read(
            tree(
                "{'metadata':{'namespace':'a','name':'q'},'spec':{'hard':{'cpu':'3'},"
                    + "'scopes':['BestEffort'],'scopeSelector':{'matchExpressions':["
                    + "{'scopeName':'PriorityClass','operator':'In','values':['high']}]}},"
                    + "'status':{'hard':{'cpu':'2','odd':'?'},'used':{'cpu':'1'}}}"));
    assertThat(quota.name()).hasToString("a/q");
    assertThat(quota.hard()).isEqualTo(ResourceList.read(tree("{'cpu':'2'}")));
    assertThat(quota.used()).isEqualTo(ResourceList.read(tree("{'cpu':'1'}")));
    assertThat(quota.scopes())
        .containsExactly(
            new ResourceQuotaView.Scope("BestEffort", "Exists", List.of()),
            new ResourceQuotaView.Scope("PriorityClass", "In", List.of("high")));
  }

  @Test
  void theDefaultsOfALimitRangeStayAsTheyAreWritten() {
    LimitRangeView range =
        LimitRangeView.read(
            tree(
                "{'spec':{'limits':[{'type':'Container','max':{'cpu':'1'},"
                    + "'default':{'cpu':'0.50'},'defaultRequest':{'cpu':'100m'}}]}}"));
    assertThat(range.items())
        .singleElement()
        .satisfies(item -> {
          assertThat(item.type()).isEqualTo(LimitRangeView.CONTAINER);
          assertThat(item.max()).isEqualTo(ResourceList.read(tree("{'cpu':'1'}")));
          assertThat(item.min()).isEqualTo(ResourceList.EMPTY);
          assertThat(item.defaultLimits()).hasToString("{\"cpu\":\"0.50\"}");
          assertThat(item.defaultRequests()).hasToString("{\"cpu\":\"100m\"}");
        });
  }
}
