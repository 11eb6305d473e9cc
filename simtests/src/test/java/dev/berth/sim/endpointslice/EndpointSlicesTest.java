package dev.berth.sim.endpointslice;

import static dev.berth.sim.VirtualCluster.podName;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.controllers.endpointslice.EndpointSliceController;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.disruption.Evictions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Endpoint slices follow pods, on virtual time. */
class EndpointSlicesTest {
  private final VirtualCluster cluster = new VirtualCluster(1);

  @BeforeEach
  void start() {
    cluster.node("n1", "4", "{'topology.kubernetes.io/zone':'east'}");
    cluster.run(
        "endpoint-slices",
        () -> EndpointSliceController.start(cluster.parts(EndpointSliceController.ACCOUNT)));
  }

  @AfterEach
  void close() {
    cluster.close();
    assertThat(cluster.warnings()).isEmpty();
  }

  private void service(String more) {
    cluster.create(
        Resources.SERVICES,
        "{'metadata':{'namespace':'default','name':'web'},'spec':{'selector':{'app':'web'},'ports':[{'port':80,'targetPort':8080}]%s}}"
            .formatted(more));
  }

  private void pod(String name, int number) {
    cluster.create(
        Resources.PODS,
        "{'metadata':{'namespace':'default','name':'%s','labels':{'app':'web'}},'spec':{'nodeName':'n1','containers':[{'name':'c','image':'i'}]}}"
            .formatted(name));
    ready(name, number, true);
  }

  private void ready(String name, int number, boolean ready) {
    String ip = "10.1.%d.%d".formatted(number / 250, number % 250 + 1);
    cluster.patchStatus(
        Resources.PODS,
        podName(name),
        "{'status':{'phase':'Running','podIP':'%s','podIPs':[{'ip':'%s'}],'conditions':[{'type':'Ready','status':'%s'}]}}"
            .formatted(ip, ip, ready ? "True" : "False"));
  }

  private List<JsonObject> slices() {
    return cluster.list(Resources.ENDPOINT_SLICES);
  }

  /** Who serves: the names of the pods that are ready. */
  private List<String> serving() {
    return slices().stream()
        .flatMap(slice -> slice.array("endpoints").objects().stream())
        .filter(endpoint -> endpoint.object("conditions").flag("ready", false))
        .map(endpoint -> endpoint.object("targetRef").text("name", ""))
        .toList();
  }

  private void aSecond() {
    cluster.advance(Duration.ofMillis(999));
  }

  @Test
  void aServiceHasASliceWithItsPods() {
    service("");
    cluster.settle();
    assertThat(slices()).hasSize(1);
    pod("a", 1);
    aSecond();
    JsonObject slice = slices().getFirst();
    Metadata metadata = Metadata.of(slice);
    assertThat(metadata.name()).startsWith("web-");
    assertThat(metadata.label("kubernetes.io/service-name")).contains("web");
    assertThat(metadata.label("endpointslice.kubernetes.io/managed-by"))
        .contains("endpointslice-controller.k8s.io");
    assertThat(metadata.controller().orElseThrow().kind()).isEqualTo("Service");
    JsonObject endpoint = slice.array("endpoints").objects().getFirst();
    assertThat(endpoint.text("nodeName")).isEqualTo("n1");
    assertThat(endpoint.text("zone")).isEqualTo("east");
    assertThat(serving()).containsExactly("a");
  }

  @Test
  void aPodThatIsNotReadyOrEvictedOrGoneLeavesWithinASecond() {
    service("");
    pod("a", 1);
    pod("b", 2);
    pod("c", 3);
    pod("d", 4);
    aSecond();
    assertThat(serving()).containsExactlyInAnyOrder("a", "b", "c", "d");
    ready("a", 1, false);
    aSecond();
    assertThat(serving()).containsExactlyInAnyOrder("b", "c", "d");
    assertThat(Evictions.evict(cluster.admin(), "b").isDone()).isTrue();
    aSecond();
    assertThat(serving()).containsExactlyInAnyOrder("c", "d");
    cluster.delete(Resources.PODS, podName("c"));
    aSecond();
    assertThat(serving()).containsExactly("d");
    assertThat(slices().getFirst().array("endpoints").size()).isEqualTo(3);
  }

  @Test
  void hundredsOfPodsThatChangeAtOnceAreOneWritePerSlice() {
    service("");
    for (int i = 0; i < 250; i++) {
      pod("p" + i, i);
    }
    aSecond();
    assertThat(slices())
        .extracting(s -> s.array("endpoints").size())
        .containsExactlyInAnyOrder(100, 100, 50);
    for (int i = 0; i < 250; i++) {
      ready("p" + i, i, false);
    }
    long before = Long.parseLong(cluster.revision());
    aSecond();
    assertThat(serving()).isEmpty();
    assertThat(Long.parseLong(cluster.revision()) - before).isEqualTo(3);
    cluster.advance(Duration.ofMinutes(10));
    assertThat(Long.parseLong(cluster.revision()) - before).isEqualTo(3);
  }

  @Test
  void aSelectorThatChangesChangesWhoServes() {
    service("");
    pod("a", 1);
    aSecond();
    cluster.patch(
        Resources.SERVICES,
        new ObjectName("default", "web"),
        "{'spec':{'selector':{'app':'other'}}}");
    aSecond();
    assertThat(serving()).isEmpty();
    cluster.patch(Resources.PODS, podName("a"), "{'metadata':{'labels':{'app':'other'}}}");
    aSecond();
    assertThat(serving()).containsExactly("a");
  }

  @Test
  void aServiceWithoutASelectorIsLeftAlone() {
    cluster.create(
        Resources.SERVICES,
        "{'metadata':{'namespace':'default','name':'web'},'spec':{'ports':[{'port':80}]}}");
    aSecond();
    assertThat(slices()).isEmpty();
  }

  @Test
  void aSliceThatSomebodyChangedOrDeletedIsMadeAgain() {
    service("");
    pod("a", 1);
    aSecond();
    ObjectName name = ObjectName.of(slices().getFirst());
    cluster.patch(Resources.ENDPOINT_SLICES, name, "{'endpoints':[]}");
    aSecond();
    assertThat(serving()).containsExactly("a");
    cluster.delete(Resources.ENDPOINT_SLICES, name);
    aSecond();
    assertThat(serving()).containsExactly("a");
  }

  @Test
  void podsWaitForTheirNodeAndFollowItsZone() {
    service("");
    cluster.create(
        Resources.PODS,
        "{'metadata':{'namespace':'default','name':'a','labels':{'app':'web'}},'spec':{'nodeName':'n2','containers':[{'name':'c','image':'i'}]}}");
    ready("a", 1, true);
    aSecond();
    assertThat(serving()).isEmpty();
    cluster.node("n2", "4");
    aSecond();
    assertThat(serving()).containsExactly("a");
    cluster.patch(
        Resources.NODES,
        ObjectName.of("n2"),
        "{'metadata':{'labels':{'topology.kubernetes.io/zone':'west'}}}");
    aSecond();
    assertThat(slices().getFirst().array("endpoints").objects().getFirst().text("zone"))
        .isEqualTo("west");
  }

  /** Nothing can be made there any more, and nobody complains about it. */
  @Test
  void aNamespaceThatEndsIsLeftAlone() {
    cluster.create(Resources.NAMESPACES, "{'metadata':{'name':'going'}}");
    cluster.create(
        Resources.SERVICES,
        "{'metadata':{'namespace':'going','name':'web'},'spec':{'selector':{'app':'web'},'ports':[{'port':80}]}}");
    aSecond();
    assertThat(slices()).hasSize(1);
    assertThat(cluster.admin().delete(Resources.NAMESPACES, ObjectName.of("going")).isDone())
        .isTrue();
    cluster.delete(Resources.ENDPOINT_SLICES, ObjectName.of(slices().getFirst()));
    cluster.advance(Duration.ofMinutes(1));
    assertThat(slices()).isEmpty();
  }

  @Test
  void aControllerThatStartsAgainWritesNothingIfAllIsTrue() {
    service("");
    pod("a", 1);
    aSecond();
    String before = cluster.revision();
    cluster.restart("endpoint-slices");
    aSecond();
    assertThat(cluster.revision()).isEqualTo(before);
  }
}
