package dev.berth.sim.endpointslice;

import static dev.berth.sim.VirtualCluster.podName;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.controllers.endpoint.LegacyEndpointsController;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Endpoints objects follow pods, on virtual time. */
class LegacyEndpointsTest {
  private static final ObjectName WEB = new ObjectName("default", "web");

  private final VirtualCluster cluster = new VirtualCluster(1);

  @BeforeEach
  void start() {
    cluster.create(
        Resources.SERVICES,
        "{'metadata':{'namespace':'default','name':'web'},'spec':{'selector':{'app':'web'},'ports':[{'port':80}]}}");
    cluster.run(
        "endpoints",
        () -> LegacyEndpointsController.start(cluster.parts(LegacyEndpointsController.ACCOUNT)));
  }

  @AfterEach
  void close() {
    cluster.close();
    assertThat(cluster.warnings()).isEmpty();
  }

  private List<String> addresses(String field) {
    return cluster.list(Resources.ENDPOINTS).stream()
        .flatMap(object -> object.array("subsets").objects().stream())
        .flatMap(subset -> subset.array(field).objects().stream())
        .map(address -> address.text("ip", ""))
        .toList();
  }

  private void ready(boolean ready) {
    cluster.patchStatus(
        Resources.PODS,
        podName("a"),
        "{'status':{'phase':'Running','podIP':'10.1.0.1','podIPs':[{'ip':'10.1.0.1'}],'conditions':[{'type':'Ready','status':'%s'}]}}"
            .formatted(ready ? "True" : "False"));
    aSecond();
  }

  private void aSecond() {
    cluster.advance(Duration.ofMillis(999));
  }

  @Test
  void anObjectFollowsThePodsOfItsServiceAndGoesWithIt() {
    assertThat(cluster.list(Resources.ENDPOINTS)).hasSize(1);
    cluster.create(
        Resources.PODS,
        "{'metadata':{'namespace':'default','name':'a','labels':{'app':'web'}},'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}");
    ready(true);
    assertThat(addresses("addresses")).containsExactly("10.1.0.1");
    ready(false);
    assertThat(addresses("addresses")).isEmpty();
    assertThat(addresses("notReadyAddresses")).containsExactly("10.1.0.1");
    String before = cluster.revision();
    cluster.restart("endpoints");
    aSecond();
    assertThat(cluster.revision()).isEqualTo(before);
    cluster.delete(Resources.SERVICES, WEB);
    aSecond();
    assertThat(cluster.list(Resources.ENDPOINTS)).isEmpty();
  }

  @Test
  void whatSomebodyWroteByHandForAServiceWithoutSelectorIsLeftAlone() {
    cluster.create(
        Resources.SERVICES,
        "{'metadata':{'namespace':'default','name':'db'},'spec':{'ports':[{'port':80}]}}");
    JsonObject byHand =
        cluster.create(
            Resources.ENDPOINTS,
            "{'metadata':{'namespace':'default','name':'db'},'subsets':[{'addresses':[{'ip':'192.0.2.1'}],'ports':[{'port':80}]}]}");
    aSecond();
    assertThat(addresses("addresses")).containsExactly("192.0.2.1");
    cluster.restart("endpoints");
    aSecond();
    assertThat(cluster.list(Resources.ENDPOINTS)).contains(byHand);
  }
}
