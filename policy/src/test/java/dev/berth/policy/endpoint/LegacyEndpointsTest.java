package dev.berth.policy.endpoint;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LegacyEndpointsTest {
  private static final EndpointService SERVICE =
      EndpointService.read(
          tree(
              "{'metadata':{'namespace':'d','name':'web','labels':{'team':'a'}},'spec':{'selector':{'app':'web'},'clusterIP':'10.0.0.1','ipFamilies':['IPv4'],'ports':[{'port':80,'protocol':'TCP','targetPort':8080}]}}"));

  private static EndpointPod pod(String name, String address, boolean ready, String more) {
    return EndpointPod.read(
        tree(
            "{'metadata':{'namespace':'d','name':'%1$s','uid':'u-%1$s'%4$s},'spec':{'nodeName':'n'},'status':{'podIP':'%2$s','conditions':[{'type':'Ready','status':'%3$s'}]}}"
                .formatted(name, address, ready ? "True" : "False", more)));
  }

  private static JsonObject of(List<EndpointPod> pods, JsonObject before) {
    return LegacyEndpoints.of(SERVICE, pods, before, Optional.empty());
  }

  @Test
  void podsAreNamedByPortsAndReadiness() {
    String gone = ",'deletionTimestamp':'2026-01-01T00:00:00Z'";
    JsonObject made =
        of(
            List.of(
                pod("b", "10.1.0.2", false, ""),
                pod("a", "10.1.0.1", true, ""),
                pod("c", "10.1.0.3", true, gone)),
            JsonObject.EMPTY);
    assertThat(made)
        .isEqualTo(
            tree(
                "{'kind':'Endpoints','apiVersion':'v1','metadata':{'name':'web','namespace':'d','labels':{'team':'a','endpoints.kubernetes.io/managed-by':'endpoint-controller'}},'subsets':[{'addresses':[{'ip':'10.1.0.1','nodeName':'n','targetRef':{'kind':'Pod','namespace':'d','name':'a','uid':'u-a'}}],'notReadyAddresses':[{'ip':'10.1.0.2','nodeName':'n','targetRef':{'kind':'Pod','namespace':'d','name':'b','uid':'u-b'}}],'ports':[{'protocol':'TCP','port':8080}]}]}"));
  }

  @Test
  void whatIsTrueStaysAsItIs() {
    List<EndpointPod> pods = List.of(pod("a", "10.1.0.1", true, ""));
    JsonObject made = of(pods, JsonObject.EMPTY);
    assertThat(of(pods, made)).isSameAs(made);
    assertThat(of(List.of(), made).has("subsets")).isFalse();
  }

  @Test
  void aThousandAreNamedAtMost() {
    List<EndpointPod> pods =
        IntStream.range(0, 1001)
            .mapToObj(i -> pod("p" + i, "10.1.%d.%d".formatted(i / 250, i % 250), true, ""))
            .toList();
    JsonObject made = of(pods, JsonObject.EMPTY);
    assertThat(made.array("subsets").objects().getFirst().array("addresses").size())
        .isEqualTo(1000);
    assertThat(
            made.object("metadata")
                .object("annotations")
                .text("endpoints.kubernetes.io/over-capacity"))
        .isEqualTo("truncated");
  }
}
