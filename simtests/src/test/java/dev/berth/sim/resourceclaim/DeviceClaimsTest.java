package dev.berth.sim.resourceclaim;

import static dev.berth.client.Resources.CORE_EVENTS;
import static dev.berth.client.Resources.DEVICE_CLASSES;
import static dev.berth.client.Resources.PODS;
import static dev.berth.client.Resources.RESOURCE_CLAIMS;
import static dev.berth.client.Resources.RESOURCE_CLAIM_TEMPLATES;
import static dev.berth.client.Resources.RESOURCE_SLICES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.hollow.HollowAnnotations;
import dev.berth.hollow.HollowSettings;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.WholeCluster;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims on devices in a whole cluster: made, allocated, shared and given back. */
class DeviceClaimsTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final WholeCluster cluster = new WholeCluster(5, HollowSettings.of(2));

  @BeforeEach
  void twoNodesWithADeviceEach() {
    cluster.advance(Duration.ofSeconds(30));
    create(
        DEVICE_CLASSES,
        "{'metadata':{'name':'gpu'},'spec':{'selectors':[{'cel':{'expression':"
            + "'device.driver == \\\"gpu.example.com\\\"'}}]}}");
    create(
        RESOURCE_CLAIM_TEMPLATES,
        "{'metadata':{'namespace':'default','name':'one-gpu'},'spec':{'spec':"
            + request("gpu", "")
            + "}}");
    slice("hollow-0", "gpu-0");
    slice("hollow-1", "gpu-0");
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private JsonObject create(GroupVersionResource resource, String json) {
    return cluster.cluster().create(resource, json);
  }

  private static String request(String deviceClass, String more) {
    return "{'devices':{'requests':[{'name':'gpu','exactly':{'deviceClassName':'%s'%s}}]}}"
        .formatted(deviceClass, more);
  }

  private void slice(String node, String... devices) {
    create(
        RESOURCE_SLICES,
        ("{'metadata':{'name':'%1$s-gpus'},'spec':{'driver':'gpu.example.com','nodeName':'%1$s',"
                + "'pool':{'name':'%1$s','generation':1,'resourceSliceCount':1},'devices':[%2$s]}}")
            .formatted(
                node,
                String.join(
                    ",", List.of(devices).stream().map(d -> "{'name':'" + d + "'}").toList())));
  }

  private void pod(String name, String claim) {
    create(
        PODS,
        ("{'metadata':{'namespace':'default','name':'%s'},'spec':{'restartPolicy':'Never',"
                + "'terminationGracePeriodSeconds':1,'containers':[{'name':'c','image':'i',"
                + "'resources':{'claims':[{'name':'gpu'}]}}],"
                + "'resourceClaims':[{'name':'gpu',%s}]}}")
            .formatted(name, claim));
    cluster.advance(SOON);
  }

  private void templated(String name) {
    pod(name, "'resourceClaimTemplateName':'one-gpu'");
  }

  private void named(String name) {
    pod(name, "'resourceClaimName':'shared'");
  }

  private ResourceClaimView claimOf(String pod) {
    String name =
        cluster
            .cluster()
            .getPod(pod)
            .object("status")
            .array("resourceClaimStatuses")
            .objects()
            .getFirst()
            .text("resourceClaimName", "");
    return claim(name);
  }

  private ResourceClaimView claim(String name) {
    return cluster.cluster().admin().get(RESOURCE_CLAIMS, new ObjectName("default", name))
            instanceof ApiResult.Done(JsonObject claim)
        ? ResourceClaimView.read(claim)
        : ResourceClaimView.read(JsonObject.EMPTY);
  }

  private String phase(String pod) {
    return cluster.cluster().getPod(pod).object("status").text("phase", "");
  }

  private void delete(String pod) {
    cluster.cluster().admin().delete(PODS, new ObjectName("default", pod));
    cluster.advance(SOON);
  }

  @Test
  void aClaimIsMadeFromItsTemplateAndItsPodRunsWhereTheDeviceIs() {
    templated("web");
    assertThat(phase("web")).isEqualTo("Running");
    ResourceClaimView claim = claimOf("web");
    JsonObject pod = cluster.cluster().getPod("web");
    String node = pod.object("spec").text("nodeName", "");
    assertThat(claim.name().name()).startsWith("web-gpu-").hasSize("web-gpu-".length() + 5);
    assertThat(claim.metadata().annotation(ResourceClaimView.POD_CLAIM_ANNOTATION)).contains("gpu");
    assertThat(claim.metadata().controller().map(OwnerReference::uid))
        .contains(Metadata.of(pod).uid());
    assertThat(claim.metadata().finalizers()).containsExactly(ResourceClaimView.FINALIZER);
    assertThat(claim.isReservedFor(Metadata.of(pod).uid())).isTrue();
    assertThat(claim.results())
        .singleElement()
        .satisfies(result -> {
          assertThat(result.text("driver")).isEqualTo("gpu.example.com");
          assertThat(result.text("pool")).isEqualTo(node);
          assertThat(result.text("device")).isEqualTo("gpu-0");
        });
    assertThat(claim.tree().object("status").object("allocation").toString())
        .contains("\"metadata.name\"", "\"" + node + "\"", "allocationTimestamp");
  }

  @Test
  void noDeviceIsGivenTwiceAndWhoWaitsGetsOneWhenItIsFree() {
    templated("a");
    templated("b");
    templated("c");
    assertThat(Set.of(cluster.cluster().nodeOf("a"), cluster.cluster().nodeOf("b"))).hasSize(2);
    assertThat(phase("c")).isEqualTo("Pending");
    assertThat(cluster.cluster().scheduled("c").text("message", ""))
        .isEqualTo(
            "0/2 nodes are available: 2 cannot allocate all claims. still not schedulable,"
                + " preemption: 0/2 nodes are available: 2 Preemption is not helpful for"
                + " scheduling.");
    String freed = cluster.cluster().nodeOf("a");
    delete("a");
    assertThat(phase("c")).isEqualTo("Running");
    assertThat(cluster.cluster().nodeOf("c")).isEqualTo(freed);
    assertThat(cluster.cluster().list(RESOURCE_CLAIMS)).hasSize(2);
  }

  @Test
  void podsThatShareAClaimShareItsNode() {
    create(
        RESOURCE_CLAIMS,
        "{'metadata':{'namespace':'default','name':'shared'},'spec':" + request("gpu", "") + "}");
    named("a");
    named("b");
    assertThat(phase("a")).isEqualTo("Running");
    assertThat(phase("b")).isEqualTo("Running");
    assertThat(cluster.cluster().nodeOf("a")).isEqualTo(cluster.cluster().nodeOf("b"));
    assertThat(claim("shared").reservedFor()).hasSize(2);
    delete("a");
    assertThat(claim("shared").reservedFor()).hasSize(1);
    assertThat(claim("shared").allocation()).isNotNull();
    delete("b");
    assertThat(claim("shared").reservedFor()).isEmpty();
    assertThat(claim("shared").allocation()).isNull();
    assertThat(claim("shared").metadata().finalizers()).isEmpty();
  }

  @Test
  void aPodWaitsForItsClaimWithoutBeingTried() {
    named("a");
    assertThat(cluster.cluster().events("a", "FailedScheduling")).isEmpty();
    assertThat(phase("a")).isEqualTo("Pending");
    create(
        RESOURCE_CLAIMS,
        "{'metadata':{'namespace':'default','name':'shared'},'spec':" + request("gpu", "") + "}");
    cluster.advance(SOON);
    assertThat(phase("a")).isEqualTo("Running");
  }

  @Test
  void aPodWaitsForItsTemplateAndIsToldSo() {
    pod("a", "'resourceClaimTemplateName':'later'");
    assertThat(cluster.cluster().list(CORE_EVENTS))
        .anySatisfy(event -> {
          assertThat(event.text("reason")).isEqualTo("FailedResourceClaimCreation");
          assertThat(event.text("message"))
              .isEqualTo(
                  "PodResourceClaim gpu: resource claim template \"later\":"
                      + " resourceclaimtemplate.resource.k8s.io \"later\" not found");
        });
    create(
        RESOURCE_CLAIM_TEMPLATES,
        "{'metadata':{'namespace':'default','name':'later'},'spec':{'spec':"
            + request("gpu", "")
            + "}}");
    cluster.advance(SOON);
    assertThat(phase("a")).isEqualTo("Running");
  }

  @Test
  void aMissingClassAndMissingDevicesAreWaitedFor() {
    create(
        RESOURCE_CLAIMS,
        "{'metadata':{'namespace':'default','name':'shared'},'spec':" + request("fpga", "") + "}");
    named("a");
    assertThat(cluster.cluster().scheduled("a").text("message", ""))
        .startsWith("0/2 nodes are available: request gpu: device class fpga does not exist.");
    create(
        DEVICE_CLASSES,
        "{'metadata':{'name':'fpga'},'spec':{'selectors':[{'cel':{'expression':"
            + "'device.attributes[device.driver].kind == \\\"fpga\\\"'}}]}}");
    cluster.advance(SOON);
    assertThat(cluster.cluster().scheduled("a").text("message", ""))
        .contains("class fpga: selector #0: CEL runtime error: no such key: kind");
    cluster
        .cluster()
        .patch(
            RESOURCE_SLICES,
            ObjectName.of("hollow-0-gpus"),
            "{'spec':{'devices':[{'name':'f','attributes':{'kind':{'string':'fpga'}}}]}}");
    cluster
        .cluster()
        .patch(
            RESOURCE_SLICES,
            ObjectName.of("hollow-1-gpus"),
            "{'spec':{'devices':[{'name':'g','attributes':{'kind':{'string':'gpu'}}}]}}");
    cluster.advance(SOON);
    assertThat(cluster.cluster().nodeOf("a")).isEqualTo("hollow-0");
  }

  @Test
  void aPodThatHasEndedGivesItsDeviceBackAndItsClaimGoes() {
    create(
        PODS,
        ("{'metadata':{'namespace':'default','name':'work','annotations':{'%s':'30s'}},"
                + "'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}],"
                + "'resourceClaims':[{'name':'gpu','resourceClaimTemplateName':'one-gpu'}]}}")
            .formatted(HollowAnnotations.RUN_FOR));
    cluster.advance(SOON);
    assertThat(phase("work")).isEqualTo("Running");
    assertThat(cluster.cluster().list(RESOURCE_CLAIMS)).hasSize(1);
    cluster.advance(Duration.ofSeconds(60));
    assertThat(phase("work")).isEqualTo("Succeeded");
    assertThat(cluster.cluster().list(RESOURCE_CLAIMS)).isEmpty();
  }

  @Test
  void restartsLoseNothing() {
    templated("a");
    cluster.restartControlPlane();
    templated("b");
    templated("c");
    cluster.restartControlPlane();
    cluster.advance(SOON);
    Set<String> devices = new HashSet<>();
    for (JsonObject claim : cluster.cluster().list(RESOURCE_CLAIMS)) {
      for (JsonObject result : ResourceClaimView.read(claim).results()) {
        assertThat(devices.add(result.text("pool", ""))).isTrue();
      }
    }
    assertThat(devices).hasSize(2);
    assertThat(phase("c")).isEqualTo("Pending");
    delete("b");
    assertThat(phase("c")).isEqualTo("Running");
    assertThat(cluster.cluster().list(RESOURCE_CLAIMS)).hasSize(2);
  }

  @Test
  void aClaimThatKeepsItsPodFromEveryNodeIsAllocatedAnew() {
    create(
        RESOURCE_CLAIMS,
        "{'metadata':{'namespace':'default','name':'shared'},'spec':" + request("gpu", "") + "}");
    cluster
        .cluster()
        .patchStatus(
            RESOURCE_CLAIMS,
            new ObjectName("default", "shared"),
            "{'status':{'allocation':{'devices':{'results':[{'request':'gpu','driver':"
                + "'gpu.example.com','pool':'gone','device':'gpu-0'}]},'nodeSelector':"
                + "{'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name','operator':'In',"
                + "'values':['gone']}]}]}}}}");
    named("a");
    cluster.advance(SOON);
    assertThat(phase("a")).isEqualTo("Running");
    assertThat(claim("shared").results().getFirst().text("pool"))
        .isEqualTo(cluster.cluster().nodeOf("a"));
  }

  @Test
  void aPodIsBoundOnceItsDevicesAreReady() {
    cluster
        .cluster()
        .patch(
            RESOURCE_SLICES,
            ObjectName.of("hollow-0-gpus"),
            "{'spec':{'devices':[{'name':'far','bindingConditions':['attached.example.com'],"
                + "'bindingFailureConditions':['broken.example.com']}]}}");
    cluster.cluster().delete(RESOURCE_SLICES, ObjectName.of("hollow-1-gpus"));
    templated("a");
    assertThat(cluster.cluster().nodeOf("a")).isEmpty();
    assertThat(cluster.cluster().events("a", "BindingConditionsPending"))
        .containsExactly("waiting for binding conditions for device on node hollow-0");
    cluster
        .cluster()
        .patchStatus(
            RESOURCE_CLAIMS,
            claimOf("a").name(),
            "{'status':{'devices':[{'driver':'gpu.example.com','pool':'hollow-0','device':'far',"
                + "'conditions':[{'type':'attached.example.com','status':'True','reason':'Done',"
                + "'message':'','lastTransitionTime':'2030-01-01T00:00:00Z'}]}]}}");
    cluster.advance(SOON);
    assertThat(phase("a")).isEqualTo("Running");
  }

  @Test
  void podsLeaveDevicesThatAreTainted() {
    templated("a");
    String node = cluster.cluster().nodeOf("a");
    cluster
        .cluster()
        .patch(
            RESOURCE_SLICES,
            ObjectName.of(node + "-gpus"),
            "{'spec':{'devices':[{'name':'gpu-0','taints':[{'key':'broken','effect':'NoExecute'}]}]}}");
    cluster.advance(SOON);
    assertThat(cluster.cluster().exists("a")).isFalse();
    templated("b");
    templated("c");
    assertThat(cluster.cluster().nodeOf("b")).isNotEqualTo(node).isNotEmpty();
    assertThat(cluster.cluster().nodeOf("c")).isEmpty();
  }

  @Test
  void aClassOfDevicesStandsForAnExtendedResource() {
    create(
        DEVICE_CLASSES,
        "{'metadata':{'name':'plain'},'spec':{'extendedResourceName':'example.com/gpu'}}");
    for (String name : List.of("a", "b", "c")) {
      create(
          PODS,
          ("{'metadata':{'namespace':'default','name':'%s'},'spec':{'restartPolicy':'Never',"
                  + "'terminationGracePeriodSeconds':1,'containers':[{'name':'c','image':'i',"
                  + "'resources':{'requests':{'example.com/gpu':'1'},"
                  + "'limits':{'example.com/gpu':'1'}}}]}}")
              .formatted(name));
      cluster.advance(SOON);
    }
    JsonObject status =
        cluster.cluster().getPod("a").object("status").object("extendedResourceClaimStatus");
    assertThat(phase("a")).isEqualTo("Running");
    assertThat(status.text("resourceClaimName")).startsWith("a-extended-resources-");
    assertThat(status.array("requestMappings").toString())
        .isEqualTo(
            "[{\"containerName\":\"c\",\"resourceName\":\"example.com/gpu\","
                + "\"requestName\":\"container-0-request-0\"}]");
    assertThat(claim(status.text("resourceClaimName", "")).results()).hasSize(1);
    assertThat(phase("b")).isEqualTo("Running");
    assertThat(cluster.cluster().scheduled("c").text("message", ""))
        .startsWith("0/2 nodes are available: 2 cannot allocate all claims.");
    delete("a");
    assertThat(phase("c")).isEqualTo("Running");
  }
}
