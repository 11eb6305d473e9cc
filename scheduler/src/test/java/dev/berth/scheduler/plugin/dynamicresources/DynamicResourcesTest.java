package dev.berth.scheduler.plugin.dynamicresources;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.device.DevicePlan;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.ClusterEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodeScore;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What claims on devices make of nodes, in upstream's words. */
class DynamicResourcesTest {
  private final DynamicResources plugin = new DynamicResources();
  private final Cluster cluster = new Cluster();

  @BeforeEach
  void twoNodesOfWhichOneHasDevices() {
    cluster.put(tree("{'metadata':{'name':'n0'}}"));
    cluster.put(tree("{'metadata':{'name':'n1'}}"));
    cluster.devices().putClass(tree("{'metadata':{'name':'gpu'}}"));
    cluster
        .devices()
        .putClass(
            tree(
                "{'metadata':{'name':'big'},'spec':{'selectors':[{'cel':{'expression':"
                    + "'device.attributes[device.driver].size > 1'}}]}}"));
    slice("n0", 1, 2);
  }

  private void slice(String node, int... sizes) {
    StringBuilder devices = new StringBuilder();
    for (int i = 0; i < sizes.length; i++) {
      devices.append(i == 0 ? "" : ",");
      devices.append("{'name':'g%d','attributes':{'size':{'int':%d}}}".formatted(i, sizes[i]));
    }
    cluster
        .devices()
        .putSlice(
            tree(
                "{'metadata':{'name':'s-%1$s'},'spec':{'driver':'d.e','nodeName':'%1$s','pool':{'name':'%1$s','generation':1,'resourceSliceCount':1},'devices':[%2$s]}}"
                    .formatted(node, devices)));
  }

  private static JsonObject claim(String name, String spec, String status) {
    return tree(
        "{'metadata':{'namespace':'default','name':'%1$s','uid':'uid-%1$s'},'spec':{'devices':{'requests':[{'name':'r',%2$s}]}},'status':{%3$s}}"
            .formatted(name, spec, status));
  }

  private static String exactly(String deviceClass) {
    return "'exactly':{'deviceClassName':'%s'}".formatted(deviceClass);
  }

  private static String on(String node, String device) {
    return ("'allocation':{'devices':{'results':[{'request':'r','driver':'d.e','pool':'%1$s','device':'%2$s'}]},"
            + "'nodeSelector':{'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name','operator':'In','values':['%1$s']}]}]}}")
        .formatted(node, device);
  }

  private PodInfo pod(String claims) {
    return cluster.read(
        tree(
            "{'metadata':{'namespace':'default','name':'p','uid':'u1'},'spec':{'containers':[],'resourceClaims':[%s]}}"
                .formatted(claims)));
  }

  private PodInfo podWith(String claim) {
    return pod("{'name':'x','resourceClaimName':'%s'}".formatted(claim));
  }

  private String answer(PodInfo pod, String node) {
    NodeFilter filter = plugin.filter(pod, cluster);
    int index = cluster.indexOf(node);
    if (filter == null || filter.allows(index)) {
      return "yes";
    }
    return filter.refusal(index).messages().getFirst();
  }

  @Test
  void aPodWithoutClaimsPaysNothing() {
    PodInfo pod = pod("");
    assertThat(plugin.filter(pod, cluster)).isNull();
    assertThat(plugin.score(pod, cluster)).isNull();
    assertThat(plugin.holds(pod, cluster)).isFalse();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'name':'x','resourceClaimTemplateName':'t'} | pod "default/p": ResourceClaim not created yet
          {'name':'x','resourceClaimName':'none'}      | could not find ResourceClaim "default/none"
          {'name':'x'}                                 | pod "default/p", spec.resourceClaim "x": none of the supported fields are set
          """)
  void aPodWhoseClaimsAreNotThereIsHeld(String claims, String message) {
    PodInfo pod = pod(claims);
    assertThat(plugin.holds(pod, cluster)).isTrue();
    assertThat(answer(pod, "n0")).isEqualTo(message);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a device is free      | `'exactly':{'deviceClassName':'gpu'}`           | yes | cannot allocate all claims
          too many              | `'exactly':{'deviceClassName':'gpu','count':3}` | cannot allocate all claims | cannot allocate all claims
          a class's selector    | `'exactly':{'deviceClassName':'big'}`           | yes | cannot allocate all claims
          no such class         | `'exactly':{'deviceClassName':'no'}`            | request r: device class no does not exist | request r: device class no does not exist
          an alternative's      | `'firstAvailable':[{'name':'a','deviceClassName':'no'}]` | request r/a: device class no does not exist | request r/a: device class no does not exist
          """)
  void claimsThatAreToBeAllocated(String row, String spec, String first, String second) {
    cluster.devices().putClaim(claim("c", spec, ""));
    assertThat(answer(podWith("c"), "n0")).isEqualTo(first);
    assertThat(answer(podWith("c"), "n1")).isEqualTo(second);
  }

  @Test
  void anAllocatedClaimIsUsedWhereItsDevicesAre() {
    cluster.devices().putClaim(claim("c", exactly("gpu"), on("n1", "g0")));
    assertThat(answer(podWith("c"), "n0")).isEqualTo("resourceclaim not available on the node");
    assertThat(answer(podWith("c"), "n1")).isEqualTo("yes");
  }

  @Test
  void aPlanCountsFromTheDecisionOn() {
    cluster.devices().putClaim(claim("c", exactly("big"), ""));
    cluster.devices().putClaim(claim("d", exactly("big"), ""));
    DevicePlan plan = plugin.plan(podWith("c"), cluster.indexOf("n0"), cluster, () -> "share");
    assertThat(plan.claims()).containsExactly(new ObjectName("default", "c"));
    assertThat(plan.writes())
        .singleElement()
        .satisfies(write -> assertThat(write.allocation()).isNotNull());
    cluster.devices().assume(plan);
    assertThat(answer(podWith("d"), "n0")).isEqualTo("cannot allocate all claims");
    assertThat(answer(podWith("c"), "n0"))
        .isEqualTo("resource claim default/c is in the process of being allocated");
    cluster.devices().forget(plan);
    assertThat(answer(podWith("d"), "n0")).isEqualTo("yes");
    cluster.devices().assume(plan);
    cluster.devices().putClaim(claim("c", exactly("big"), on("n0", "g1")));
    assertThat(answer(podWith("d"), "n0")).isEqualTo("cannot allocate all claims");
    cluster.devices().putClaim(claim("c", exactly("big"), ""));
    assertThat(answer(podWith("d"), "n0")).isEqualTo("yes");
  }

  @Test
  void earlierAlternativesScoreMore() {
    slice("n1", 1);
    cluster
        .devices()
        .putClaim(
            claim(
                "c",
                "'firstAvailable':[{'name':'a','deviceClassName':'big'},{'name':'b','deviceClassName':'gpu'}]",
                ""));
    NodeScore score = Objects.requireNonNull(plugin.score(podWith("c"), cluster));
    assertThat(score.score(cluster.indexOf("n0"))).isEqualTo(8);
    assertThat(score.score(cluster.indexOf("n1"))).isEqualTo(7);
  }

  @Test
  void claimsThatGiveBackDevicesHelpOthers() {
    JsonObject allocated = claim("c", exactly("gpu"), on("n0", "g0"));
    JsonObject free = claim("c", exactly("gpu"), "");
    cluster.devices().putClaim(claim("mine", exactly("gpu"), ""));
    assertThat(mayHelp(allocated, free)).isTrue();
    assertThat(mayHelp(allocated, null)).isTrue();
    assertThat(mayHelp(free, allocated)).isFalse();
    JsonObject mine = claim("mine", exactly("gpu"), "");
    assertThat(mayHelp(null, mine)).isTrue();
    assertThat(mayHelp(mine, mine)).isFalse();
    assertThat(mayHelp(mine, claim("mine", exactly("gpu"), on("n0", "g0")))).isTrue();
  }

  private boolean mayHelp(@Nullable JsonObject before, @Nullable JsonObject after) {
    return plugin.mayHelp(
        new ClusterEvent.DeviceClaimEvent(
            ClusterEventKind.RESOURCE_CLAIM_CHANGED,
            before == null ? null : ResourceClaimView.read(before),
            after == null ? null : ResourceClaimView.read(after)),
        podWith("mine"),
        cluster);
  }

  @Test
  void aClaimThatIsInTheWayIsNamed() {
    cluster.devices().putClaim(claim("c", exactly("gpu"), on("gone", "g0")));
    assertThat(plugin.toDeallocate(podWith("c"), cluster)).isPresent();
    cluster
        .devices()
        .putClaim(
            claim(
                "c",
                exactly("gpu"),
                on("gone", "g0")
                    + ",'reservedFor':[{'resource':'pods','name':'other','uid':'u2'}]"));
    assertThat(plugin.toDeallocate(podWith("c"), cluster)).isEmpty();
  }

  @Test
  void devicesThatHaveToBePreparedAreWaitedFor() {
    String results =
        "'allocation':{'devices':{'results':[{'request':'r','driver':'d.e','pool':'p','device':'g',"
            + "'bindingConditions':['Attached'],'bindingFailureConditions':['Broken']}]}}";
    String device =
        ",'devices':[{'driver':'d.e','pool':'p','device':'g','conditions':[{'type':'%s','status':'True','reason':'R','message':'m'}]}]";
    assertThat(List.of(conditions(results), conditions(results + device.formatted("Attached"))))
        .containsExactly(new BindingConditions.Pending(), new BindingConditions.Ready());
    assertThat(conditions(results + device.formatted("Broken")))
        .isEqualTo(
            new BindingConditions.Failed(
                "device binding failed: claim=c, reason=R, message=\"m\""));
  }

  private static BindingConditions conditions(String status) {
    return BindingConditions.of(ResourceClaimView.read(claim("c", exactly("gpu"), status)));
  }
}
