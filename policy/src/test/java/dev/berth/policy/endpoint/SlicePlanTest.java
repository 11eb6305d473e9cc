package dev.berth.policy.endpoint;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlicePlanTest {
  private static final Map<String, String> NODES = Map.of("n", "", "east", "zone-e");
  private static final String SERVICE =
      "{'metadata':{'namespace':'d','name':'web','uid':'s1','labels':{'team':'a'}},'spec':{'selector':{'app':'web'},'clusterIP':'10.0.0.1','ipFamilies':['IPv4'],'ports':[{'port':80,'protocol':'TCP','targetPort':8080}]%s}}";

  private final List<JsonObject> slices = new ArrayList<>();
  private int names;

  private static EndpointService service(String more) {
    return EndpointService.read(tree(SERVICE.formatted(more)));
  }

  private static EndpointPod pod(int number) {
    return pod(number, "n", true, false);
  }

  private static EndpointPod pod(int number, String node, boolean ready, boolean terminating) {
    return EndpointPod.read(
        tree(
            "{'metadata':{'namespace':'d','name':'p%1$d','uid':'u%1$d'%4$s},'spec':{'nodeName':'%2$s'},'status':{'phase':'Running','podIP':'10.1.0.%1$d','podIPs':[{'ip':'10.1.0.%1$d'},{'ip':'fd00::%1$d'}],'conditions':[{'type':'Ready','status':'%3$s'}]}}"
                .formatted(
                    number,
                    node,
                    ready ? "True" : "False",
                    terminating ? ",'deletionTimestamp':'2026-01-01T00:00:00Z'" : "")));
  }

  private static List<EndpointPod> pods(int from, int to) {
    return IntStream.range(from, to).mapToObj(SlicePlanTest::pod).toList();
  }

  /** Plans, and does what the plan says. */
  private SlicePlan run(EndpointService service, Collection<EndpointPod> pods) {
    SlicePlan plan = SlicePlan.of(service, pods, NODES, slices, Optional.empty());
    slices.removeAll(plan.delete());
    for (JsonObject update : plan.update()) {
      slices.replaceAll(slice -> name(slice).equals(name(update)) ? update : slice);
    }
    for (JsonObject made : plan.create()) {
      String name = "web-" + names++;
      slices.add(made.with("metadata", made.object("metadata").with("name", name)));
    }
    assertThat(SlicePlan.of(service, pods, NODES, slices, Optional.empty()).isEmpty())
        .as("nothing is left to do")
        .isTrue();
    return plan;
  }

  private static String name(JsonObject slice) {
    return slice.object("metadata").text("name", "");
  }

  private static int size(JsonObject slice) {
    return slice.array("endpoints").size();
  }

  @Test
  void aSliceSaysWhoServesAndWhere() {
    SlicePlan plan =
        SlicePlan.of(
            service(""),
            List.of(pod(1, "east", true, false)),
            NODES,
            List.of(),
            Optional.of(Instant.parse("2026-01-01T00:00:00Z")));
    assertThat(plan.create())
        .containsExactly(
            tree(
                "{'kind':'EndpointSlice','apiVersion':'discovery.k8s.io/v1','metadata':{'namespace':'d','generateName':'web-','labels':{'team':'a','kubernetes.io/service-name':'web','endpointslice.kubernetes.io/managed-by':'endpointslice-controller.k8s.io'},'ownerReferences':[{'apiVersion':'v1','kind':'Service','name':'web','uid':'s1','controller':true,'blockOwnerDeletion':true}],'annotations':{'endpoints.kubernetes.io/last-change-trigger-time':'2026-01-01T00:00:00Z'}},'addressType':'IPv4','endpoints':[{'addresses':['10.1.0.1'],'conditions':{'ready':true,'serving':true,'terminating':false},'targetRef':{'kind':'Pod','namespace':'d','name':'p1','uid':'u1'},'nodeName':'east','zone':'zone-e'}],'ports':[{'name':'','protocol':'TCP','port':8080}]}"));
  }

  private JsonObject conditions(EndpointService service, EndpointPod pod) {
    slices.clear();
    run(service, List.of(pod));
    return slices.getFirst().array("endpoints").objects().getFirst().object("conditions");
  }

  @Test
  void aPodThatIsNotReadyOrOnItsWayOutIsNotReady() {
    assertThat(conditions(service(""), pod(1, "n", false, false)))
        .isEqualTo(tree("{'ready':false,'serving':false,'terminating':false}"));
    assertThat(conditions(service(""), pod(1, "n", true, true)))
        .isEqualTo(tree("{'ready':false,'serving':true,'terminating':true}"));
    assertThat(conditions(service(",'publishNotReadyAddresses':true"), pod(1, "n", false, true)))
        .isEqualTo(tree("{'ready':true,'serving':false,'terminating':true}"));
  }

  private JsonObject hints(String distribution, EndpointPod pod) {
    slices.clear();
    run(service(",'trafficDistribution':'%s'".formatted(distribution)), List.of(pod));
    return slices.getFirst().array("endpoints").objects().getFirst().object("hints");
  }

  @Test
  void aReadyPodIsHintedForItsZoneOrItsNodeWhereTheServicePrefersThat() {
    EndpointPod east = pod(1, "east", true, false);
    JsonObject zone = tree("{'forZones':[{'name':'zone-e'}]}");
    assertThat(hints("PreferClose", east)).isEqualTo(zone);
    assertThat(hints("PreferSameZone", east)).isEqualTo(zone);
    assertThat(hints("PreferSameNode", east))
        .isEqualTo(zone.with("forNodes", tree("{'a':[{'name':'east'}]}").array("a")));
    assertThat(hints("PreferSameNode", pod(1))).isEqualTo(tree("{'forNodes':[{'name':'n'}]}"));
    assertThat(hints("PreferSameZone", pod(1))).isEqualTo(JsonObject.EMPTY);
    assertThat(hints("PreferSameZone", pod(1, "east", false, false))).isEqualTo(JsonObject.EMPTY);
    assertThat(hints("Other", east)).isEqualTo(JsonObject.EMPTY);
  }

  @Test
  void podsOfNodesThatDoNotExistAreLeftOutUnlessAllAreWanted() {
    run(service(""), List.of(pod(1, "gone", true, false)));
    assertThat(slices).extracting(SlicePlanTest::size).containsExactly(0);
    run(service(",'publishNotReadyAddresses':true"), List.of(pod(1, "gone", true, false)));
    assertThat(slices).extracting(SlicePlanTest::size).containsExactly(1);
  }

  @Test
  void aHundredPodsFillASlice() {
    run(service(""), pods(0, 250));
    assertThat(slices).extracting(SlicePlanTest::size).containsExactly(100, 100, 50);
  }

  @Test
  void onlySlicesThatChangeAreWritten() {
    run(service(""), pods(0, 250));
    List<EndpointPod> pods = new ArrayList<>(pods(0, 250));
    pods.set(7, pod(7, "n", false, false));
    pods.remove(30);
    SlicePlan plan = run(service(""), pods);
    assertThat(plan.create()).isEmpty();
    assertThat(plan.delete()).isEmpty();
    assertThat(plan.update()).extracting(SlicePlanTest::name).containsExactly("web-0");
  }

  @Test
  void newPodsGoIntoSlicesThatAreWrittenAnyway() {
    run(service(""), pods(0, 250));
    List<EndpointPod> pods = new ArrayList<>(pods(1, 251));
    SlicePlan plan = run(service(""), pods);
    assertThat(plan.update()).extracting(SlicePlanTest::name).containsExactly("web-0");
    assertThat(slices).extracting(SlicePlanTest::size).containsExactly(100, 100, 50);
  }

  @Test
  void newPodsGoIntoTheFullestSliceThatHasRoom() {
    run(service(""), pods(0, 150));
    SlicePlan plan = run(service(""), pods(0, 170));
    assertThat(plan.create()).isEmpty();
    assertThat(plan.update()).extracting(SlicePlanTest::name).containsExactly("web-1");
    run(service(""), pods(0, 240));
    assertThat(slices).extracting(SlicePlanTest::size).containsExactly(100, 70, 70);
  }

  @Test
  void aSliceThatNobodyIsLeftInGoesAndTheLastStays() {
    run(service(""), pods(0, 150));
    run(service(""), pods(0, 100));
    assertThat(slices).extracting(SlicePlanTest::name).containsExactly("web-0");
    SlicePlan plan = run(service(""), List.of());
    assertThat(plan.delete()).isEmpty();
    assertThat(slices).extracting(SlicePlanTest::size).containsExactly(0);
    assertThat(slices.getFirst().array("ports").isEmpty()).isTrue();
    run(service(""), pods(0, 1));
    assertThat(slices).extracting(SlicePlanTest::name).containsExactly("web-0");
  }

  @Test
  void aPodThatIsInTwoSlicesLeavesTheSecond() {
    run(service(""), pods(0, 3));
    JsonObject first = slices.getFirst();
    slices.add(first.with("metadata", first.object("metadata").with("name", "twin")));
    run(service(""), pods(0, 3));
    assertThat(slices).extracting(SlicePlanTest::name).containsExactly("web-0");
  }

  @Test
  void eachFamilyHasItsSlices() {
    run(dualStack(), pods(1, 3));
    assertThat(slices)
        .extracting(slice -> slice.text("addressType", ""))
        .containsExactly("IPv4", "IPv6");
    assertThat(slices.getLast().array("endpoints").objects().getFirst().array("addresses").texts())
        .containsExactly("fd00::1");
    run(service(""), pods(1, 3));
    assertThat(slices).hasSize(1);
  }

  private static EndpointService dualStack() {
    return EndpointService.read(tree(SERVICE.formatted("").replace("['IPv4']", "['IPv4','IPv6']")));
  }

  @Test
  void aPortThatIsANameIsWhatEachPodSays() {
    EndpointService service =
        EndpointService.read(tree(SERVICE.formatted("").replace("8080", "'http'")));
    run(service, List.of(named(1, 8080), named(2, 9090), named(3, 8080), pod(4)));
    assertThat(slices)
        .extracting(slice -> size(slice) + " " + slice.array("ports"))
        .containsExactly(
            "2 [{\"name\":\"\",\"protocol\":\"TCP\",\"port\":8080}]",
            "1 [{\"name\":\"\",\"protocol\":\"TCP\",\"port\":9090}]",
            "1 []");
  }

  private static EndpointPod named(int number, int port) {
    return EndpointPod.read(
        tree(
            "{'metadata':{'namespace':'d','name':'p%1$d','uid':'u%1$d'},'spec':{'nodeName':'n','containers':[{'name':'c','ports':[{'name':'http','containerPort':%2$d}]}]},'status':{'podIP':'10.1.0.%1$d'}}"
                .formatted(number, port)));
  }

  @Test
  void aHeadlessServiceHasALabelHostnamesAndPerhapsNoPorts() {
    EndpointService service =
        EndpointService.read(
            tree(
                "{'metadata':{'namespace':'d','name':'db','uid':'s2'},'spec':{'selector':{'app':'db'},'clusterIP':'None','ipFamilies':['IPv4']}}"));
    EndpointPod pod =
        EndpointPod.read(
            tree(
                "{'metadata':{'namespace':'d','name':'db-0','uid':'u'},'spec':{'nodeName':'n','hostname':'db-0','subdomain':'db'},'status':{'podIP':'10.1.0.1'}}"));
    run(service, List.of(pod));
    JsonObject slice = slices.getFirst();
    assertThat(slice.object("metadata").object("labels").has("service.kubernetes.io/headless"))
        .isTrue();
    assertThat(slice.array("endpoints").objects().getFirst().text("hostname")).isEqualTo("db-0");
    assertThat(slice.array("ports").isEmpty()).isTrue();
  }

  @Test
  void labelsFollowTheService() {
    run(service(""), pods(0, 2));
    EndpointService other =
        EndpointService.read(tree(SERVICE.formatted("").replace("'team':'a'", "'team':'b'")));
    SlicePlan plan = run(other, pods(0, 2));
    assertThat(plan.update()).hasSize(1);
    assertThat(slices.getFirst().object("metadata").object("labels").text("team")).isEqualTo("b");
  }
}
