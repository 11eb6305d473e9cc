package dev.berth.scheduler.plugin.volume;

import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.scheduler.fixture.TopologyFixture.json;
import static dev.berth.scheduler.plugin.volume.VolumeObjects.boundClaim;
import static dev.berth.scheduler.plugin.volume.VolumeObjects.claim;
import static dev.berth.scheduler.plugin.volume.VolumeObjects.freeClaim;
import static dev.berth.scheduler.plugin.volume.VolumeObjects.mounting;
import static dev.berth.scheduler.plugin.volume.VolumeObjects.onlyOn;
import static dev.berth.scheduler.plugin.volume.VolumeObjects.storageClass;
import static dev.berth.scheduler.plugin.volume.VolumeObjects.using;
import static dev.berth.scheduler.plugin.volume.VolumeObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.fixture.PodFixture;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.volume.ClusterVolumes;
import dev.berth.scheduler.cluster.volume.VolumePlan;
import dev.berth.scheduler.fixture.TopologyFixture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VolumeBindingTest {
  private static final VolumeBinding BINDING = new VolumeBinding();
  private static final String NOTHING = "node(s) didn't find available persistent volumes to bind";
  private static final String CONFLICT = "node(s) had volume node affinity conflict";

  private final TopologyFixture cluster =
      new TopologyFixture()
          .with(
              node("n1").inZone("a").labelled("kubernetes.io/hostname", "n1"),
              node("n2").inZone("b").labelled("kubernetes.io/hostname", "n2"));
  private final ClusterVolumes volumes = cluster.cluster().volumes();
  private final PodFixture pod = using(pod("web"), "data");

  @BeforeEach
  void classes() {
    volumes.putStorageClass(storageClass("slow", "csi.example", "Immediate", ""));
    volumes.putStorageClass(
        storageClass("local", "kubernetes.io/no-provisioner", "WaitForFirstConsumer", ""));
    volumes.putStorageClass(
        storageClass(
            "made",
            "csi.example",
            "WaitForFirstConsumer",
            ", 'allowedTopologies': [{'matchLabelExpressions': [{'key':"
                + " 'topology.kubernetes.io/zone', 'values': ['b']}]}]"));
  }

  private VolumePlan plan(String nodeName) {
    return BINDING.plan(cluster.read(pod), cluster.cluster().indexOf(nodeName), cluster.cluster());
  }

  private VolumeProgress progress(VolumePlan plan) {
    return BINDING.progress(plan, cluster.cluster());
  }

  @Test
  void hasNothingToSayOfPodsWithoutClaims() {
    PodFixture plain = mounting(pod("web"), "{'name': 'tmp', 'emptyDir': {}}");
    assertThat(BINDING.filter(cluster.read(plain), cluster.cluster())).isNull();
    assertThat(BINDING.plan(cluster.read(plain), 0, cluster.cluster()).isEmpty()).isTrue();
  }

  @Test
  void aClaimMustExist() {
    assertThat(cluster.refusals(BINDING, pod))
        .containsOnlyKeys("n1", "n2")
        .containsValue("persistentvolumeclaim \"data\" not found");
    assertThat(cluster.refusals(BINDING, mounting(pod("web"), "{'name': 'v', 'ephemeral': {}}")))
        .containsEntry(
            "n1",
            "waiting for ephemeral volume controller to create the persistentvolumeclaim"
                + " \"web-v\"");
  }

  @Test
  void anEphemeralClaimMustBeThePodsOwn() {
    PodFixture mine = mounting(pod("web"), "{'name': 'v', 'ephemeral': {}}");
    volumes.putClaim(boundClaim("web-v", "pv"));
    volumes.putVolume(volume("pv", "5Gi", "slow", ""));
    assertThat(cluster.refusals(BINDING, mine))
        .containsEntry(
            "n1", "PVC default/web-v was not created for pod default/web (pod is not owner)");
    volumes.putClaim(
        (JsonObject)
            FieldPath.parse("metadata.ownerReferences")
                .set(
                    boundClaim("web-v", "pv"),
                    TopologyFixture.array("{'uid': 'web-uid', 'controller': true}")));
    assertThat(cluster.refusals(BINDING, mine)).isEmpty();
  }

  @Test
  void aClaimMustNotBeLostOrOnItsWayOut() {
    volumes.putClaim(boundClaim("data", "pv").with("status", json("{'phase': 'Lost'}")));
    assertThat(cluster.refusals(BINDING, pod))
        .containsEntry(
            "n1", "persistentvolumeclaim \"data\" bound to non-existent persistentvolume \"pv\"");
    volumes.putClaim(claim("data", "", "'deletionTimestamp': '2026-01-01T00:00:00Z',"));
    assertThat(cluster.refusals(BINDING, pod))
        .containsEntry("n1", "persistentvolumeclaim \"data\" is being deleted");
  }

  @Test
  void claimsThatAreBoundAtOnceAreWaitedFor() {
    volumes.putClaim(freeClaim("data", "slow"));
    assertThat(cluster.refusals(BINDING, pod))
        .containsEntry("n1", "pod has unbound immediate PersistentVolumeClaims");
  }

  @Test
  void aBoundVolumeDecidesWhere() {
    volumes.putClaim(boundClaim("data", "pv"));
    assertThat(cluster.refusals(BINDING, pod))
        .containsEntry(
            "n1", "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");
    volumes.putVolume(volume("pv", "5Gi", "slow", onlyOn("n2")));
    assertThat(cluster.refusals(BINDING, pod)).containsOnlyKeys("n1").containsValue(CONFLICT);
    assertThat(plan("n2").isEmpty()).isTrue();
  }

  @Test
  void aClaimThatWaitsGetsTheSmallestVolumeOfTheNode() {
    volumes.putClaim(freeClaim("data", "local"));
    assertThat(cluster.refusals(BINDING, pod)).containsOnlyKeys("n1", "n2").containsValue(NOTHING);
    volumes.putVolume(volume("tiny", "1Gi", "local", onlyOn("n1")));
    volumes.putVolume(volume("huge", "50Gi", "local", onlyOn("n1")));
    volumes.putVolume(volume("fits", "6Gi", "local", onlyOn("n1")));
    volumes.putVolume(volume("other", "5Gi", "slow", onlyOn("n2")));
    assertThat(cluster.refusals(BINDING, pod)).containsOnlyKeys("n2").containsValue(NOTHING);

    VolumePlan plan = plan("n1");
    assertThat(plan.claims()).containsExactly(new ObjectName("default", "data"));
    assertThat(plan.writes())
        .singleElement()
        .satisfies(write -> {
          assertThat(write).isInstanceOf(VolumePlan.BindVolume.class);
          JsonObject tree = write.tree();
          assertThat(tree.object("metadata").text("name")).isEqualTo("fits");
          assertThat(tree.object("spec").object("claimRef").text("uid")).isEqualTo("data-uid");
          assertThat(
                  tree.object("metadata")
                      .object("annotations")
                      .text(WellKnownAnnotations.BOUND_BY_CONTROLLER))
              .isEqualTo("yes");
        });
  }

  @Test
  void twoClaimsOfAPodGetDifferentVolumes() {
    PodFixture two = using(pod("web"), "data", "more");
    volumes.putClaim(freeClaim("data", "local"));
    volumes.putClaim(freeClaim("more", "local"));
    volumes.putVolume(volume("one", "6Gi", "local", onlyOn("n1")));
    assertThat(cluster.allowed(BINDING, two)).isEmpty();
    volumes.putVolume(volume("two", "6Gi", "local", onlyOn("n1")));
    assertThat(cluster.allowed(BINDING, two)).containsExactly("n1");
  }

  @Test
  void aVolumeThatWasPromisedIsTheOnlyOne() {
    volumes.putClaim(freeClaim("data", "local"));
    volumes.putVolume(volume("fits", "6Gi", "local", onlyOn("n1")));
    volumes.putVolume(
        volume(
            "mine",
            "60Gi",
            "local",
            onlyOn("n2") + ", 'claimRef': {'namespace': 'default', 'name': 'data'}"));
    assertThat(cluster.allowed(BINDING, pod)).containsExactly("n2");
  }

  @Test
  void aVolumeIsMadeWhereItsClassAllows() {
    volumes.putClaim(freeClaim("data", "made"));
    assertThat(cluster.refusals(BINDING, pod)).containsOnlyKeys("n1").containsValue(NOTHING);
    assertThat(plan("n2").writes())
        .singleElement()
        .satisfies(write ->
            assertThat(
                    write
                        .tree()
                        .object("metadata")
                        .object("annotations")
                        .text(WellKnownAnnotations.SELECTED_NODE))
                .isEqualTo("n2"));
  }

  @Test
  void aVolumeIsMadeWhereThereIsRoom() {
    volumes.putClaim(freeClaim("data", "made"));
    volumes.putCsiDriver(
        json("{'metadata': {'name': 'csi.example'}, 'spec': {'storageCapacity': true}}"));
    assertThat(cluster.refusals(BINDING, pod))
        .containsEntry("n2", "node(s) did not have enough free storage");
    volumes.putStorageCapacity(
        json(
            "{'metadata': {'name': 'c', 'namespace': 'x'}, 'storageClassName': 'made',"
                + " 'capacity': '10Gi', 'nodeTopology': {}}"));
    assertThat(cluster.allowed(BINDING, pod)).containsExactly("n2");
  }

  @Test
  void aClaimStaysWithTheNodeThatItsVolumeIsMadeFor() {
    volumes.putClaim(
        claim(
            "data",
            "'storageClassName': 'made'",
            "'annotations': {'volume.kubernetes.io/selected-node': 'gone'},"));
    assertThat(cluster.refusals(BINDING, pod)).containsEntry("n2", NOTHING);
  }

  @Test
  void anAssumedVolumeIsTakenUntilItIsGivenBack() {
    volumes.putClaim(freeClaim("data", "local"));
    volumes.putClaim(freeClaim("other", "local"));
    volumes.putVolume(volume("fits", "6Gi", "local", onlyOn("n1")));
    VolumePlan plan = plan("n1");
    volumes.assume(plan);
    assertThat(cluster.allowed(BINDING, using(pod("next"), "other"))).isEmpty();
    assertThat(progress(plan)).isEqualTo(new VolumeProgress.Waiting());
    volumes.forget(plan);
    assertThat(cluster.allowed(BINDING, using(pod("next"), "other"))).containsExactly("n1");
  }

  @Test
  void aPodIsBoundOnceItsClaimIs() {
    volumes.putClaim(freeClaim("data", "local"));
    volumes.putVolume(volume("fits", "6Gi", "local", onlyOn("n1")));
    VolumePlan plan = plan("n1");
    volumes.assume(plan);
    volumes.putVolume(plan.writes().getFirst().tree());
    assertThat(progress(plan)).isEqualTo(new VolumeProgress.Waiting());
    volumes.putClaim(boundClaim("data", "fits"));
    assertThat(progress(plan)).isEqualTo(new VolumeProgress.Done());
  }

  @Test
  void aPromiseThatWasTakenBackFails() {
    volumes.putClaim(freeClaim("data", "local"));
    volumes.putVolume(volume("fits", "6Gi", "local", onlyOn("n1")));
    VolumePlan plan = plan("n1");
    volumes.assume(plan);
    volumes.putVolume(plan.writes().getFirst().tree());
    volumes.putVolume(volume("fits", "6Gi", "local", onlyOn("n1")));
    assertThat(progress(plan))
        .isEqualTo(new VolumeProgress.Failed("ClaimRef got reset for pv \"fits\""));
  }

  @Test
  void aVolumeThatCouldNotBeMadeFails() {
    volumes.putClaim(freeClaim("data", "made"));
    VolumePlan plan = plan("n2");
    volumes.assume(plan);
    assertThat(progress(plan)).isEqualTo(new VolumeProgress.Waiting());
    volumes.putClaim(plan.writes().getFirst().tree());
    assertThat(progress(plan)).isEqualTo(new VolumeProgress.Waiting());
    volumes.putClaim(freeClaim("data", "made"));
    assertThat(progress(plan))
        .isEqualTo(new VolumeProgress.Failed("provisioning failed for PVC \"data\""));
  }
}
