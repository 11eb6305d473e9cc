package dev.berth.scheduler.plugin.volume;

import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.scheduler.fixture.TopologyFixture.json;
import static dev.berth.scheduler.plugin.volume.VolumeObjects.boundClaim;
import static dev.berth.scheduler.plugin.volume.VolumeObjects.claim;
import static dev.berth.scheduler.plugin.volume.VolumeObjects.freeClaim;
import static dev.berth.scheduler.plugin.volume.VolumeObjects.mounting;
import static dev.berth.scheduler.plugin.volume.VolumeObjects.storageClass;
import static dev.berth.scheduler.plugin.volume.VolumeObjects.using;
import static dev.berth.scheduler.plugin.volume.VolumeObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.volume.ClusterVolumes;
import dev.berth.scheduler.fixture.TopologyFixture;
import dev.berth.scheduler.plugin.NodeFilter;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Restrictions, limits and zones of volumes. */
class VolumeFiltersTest {
  private static final VolumeRestrictions RESTRICTIONS = new VolumeRestrictions();
  private static final NodeVolumeLimits LIMITS = new NodeVolumeLimits();
  private static final VolumeZone ZONE = new VolumeZone();

  private final TopologyFixture cluster =
      new TopologyFixture().with(node("n1").inZone("a"), node("n2").inZone("b"), node("n3"));
  private final ClusterVolumes volumes = cluster.cluster().volumes();

  static Stream<Arguments> disks() {
    return Stream.of(
        argumentSet(
            "a Google disk",
            "'gcePersistentDisk': {'pdName': 'd'}",
            "'gcePersistentDisk': {'pdName': 'd'}",
            false),
        argumentSet(
            "that one of them writes",
            "'gcePersistentDisk': {'pdName': 'd', 'readOnly': true}",
            "'gcePersistentDisk': {'pdName': 'd'}",
            false),
        argumentSet(
            "that both only read",
            "'gcePersistentDisk': {'pdName': 'd', 'readOnly': true}",
            "'gcePersistentDisk': {'pdName': 'd', 'readOnly': true}",
            true),
        argumentSet(
            "another one",
            "'gcePersistentDisk': {'pdName': 'd'}",
            "'gcePersistentDisk': {'pdName': 'e'}",
            true),
        argumentSet(
            "an Amazon disk, even if both only read it",
            "'awsElasticBlockStore': {'volumeID': 'd', 'readOnly': true}",
            "'awsElasticBlockStore': {'volumeID': 'd', 'readOnly': true}",
            false),
        argumentSet("an iSCSI target", "'iscsi': {'iqn': 'i'}", "'iscsi': {'iqn': 'i'}", false),
        argumentSet(
            "a Ceph image by a shared monitor",
            "'rbd': {'image': 'i', 'monitors': ['a', 'b']}",
            "'rbd': {'image': 'i', 'monitors': ['b', 'c']}",
            false),
        argumentSet(
            "a Ceph image of another cluster",
            "'rbd': {'image': 'i', 'monitors': ['a']}",
            "'rbd': {'image': 'i', 'monitors': ['c']}",
            true));
  }

  @ParameterizedTest
  @MethodSource("disks")
  void podsOnANodeDoNotShareDisks(String mine, String theirs, boolean allowed) {
    cluster.with(mounting(pod("old"), "{'name': 'v', " + theirs + "}").on("n1"));
    assertThat(cluster.refusals(RESTRICTIONS, mounting(pod("new"), "{'name': 'v', " + mine + "}")))
        .isEqualTo(allowed ? Map.of() : Map.of("n1", "node(s) had no available disk"));
  }

  @Test
  void aClaimForOnePodIsUsedByOnePod() {
    volumes.putClaim(claim("data", "'accessModes': ['ReadWriteOncePod']", ""));
    PodInfo next = cluster.read(using(pod("new"), "data"));
    assertThat(RESTRICTIONS.filter(next, cluster.cluster())).isNull();

    cluster.with(using(pod("old"), "data").on("n1"));
    assertThat(cluster.refusals(RESTRICTIONS, using(pod("new"), "data")))
        .containsOnlyKeys("n1", "n2", "n3")
        .containsValue(
            "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod"
                + " access mode");

    NodeFilter filter = Objects.requireNonNull(RESTRICTIONS.filter(next, cluster.cluster()));
    PodInfo victim = cluster.pods().getFirst();
    cluster.cluster().remove(victim, "n1");
    filter.removed(victim, 0);
    assertThat(filter.allows(0)).isTrue();
  }

  @Test
  void aClaimThatIsNotThereIsToldOfOnce() {
    PodInfo pod = cluster.read(using(pod("new"), "data"));
    NodeFilter filter = Objects.requireNonNull(RESTRICTIONS.filter(pod, cluster.cluster()));
    assertThat(filter.refusal(0).messages())
        .containsExactly("persistentvolumeclaim \"data\" not found");
    assertThat(filter.refusal(0).isOfPod()).isTrue();
    assertThat(filter.refusal(0).preemptionMayHelp()).isFalse();
  }

  private void csiVolume(String claim) {
    volumes.putClaim(boundClaim(claim, "pv-" + claim));
    volumes.putVolume(
        volume(
            "pv-" + claim,
            "5Gi",
            "slow",
            ", 'csi': {'driver': 'csi.example', 'volumeHandle': '%s'}".formatted(claim)));
  }

  @Test
  void aNodeTakesAsManyVolumesAsItsDriverSays() {
    volumes.putCsiNode(
        json(
            "{'metadata': {'name': 'n1'}, 'spec': {'drivers': [{'name': 'csi.example',"
                + " 'allocatable': {'count': 2}}]}}"));
    csiVolume("a");
    csiVolume("b");
    csiVolume("c");
    cluster.with(using(pod("p1"), "a").on("n1"), using(pod("p2"), "a").on("n1"));
    assertThat(cluster.allowed(LIMITS, using(pod("new"), "b"))).contains("n1");
    assertThat(cluster.refusals(LIMITS, using(pod("new"), "b", "c")))
        .containsOnlyKeys("n1")
        .containsValue("node(s) exceed max volume count");

    cluster.with(using(pod("p3"), "b").on("n1"));
    assertThat(cluster.allowed(LIMITS, using(pod("new"), "a"))).contains("n1");
    assertThat(cluster.allowed(LIMITS, using(pod("new"), "c"))).containsExactly("n2", "n3");
  }

  @Test
  void volumesThatAreAttachedOrToBeMadeCount() {
    volumes.putCsiNode(
        json(
            "{'metadata': {'name': 'n1'}, 'spec': {'drivers': [{'name': 'csi.example',"
                + " 'allocatable': {'count': 1}}]}}"));
    volumes.putStorageClass(storageClass("made", "csi.example", "WaitForFirstConsumer", ""));
    volumes.putClaim(freeClaim("new", "made"));
    csiVolume("a");
    assertThat(cluster.allowed(LIMITS, using(pod("new"), "new"))).contains("n1");
    volumes.putAttachment(
        json(
            "{'metadata': {'name': 'va'}, 'spec': {'attacher': 'csi.example', 'nodeName': 'n1',"
                + " 'source': {'persistentVolumeName': 'pv-a'}}}"));
    assertThat(cluster.allowed(LIMITS, using(pod("new"), "new"))).containsExactly("n2", "n3");
    assertThat(cluster.allowed(LIMITS, using(pod("new"), "a"))).contains("n1");
    volumes.removeAttachment("va");
    assertThat(cluster.allowed(LIMITS, using(pod("new"), "new"))).contains("n1");
  }

  static Stream<Arguments> zones() {
    return Stream.of(
        argumentSet("one zone", "topology.kubernetes.io/zone", "a", "n1 n3"),
        argumentSet("two zones", "topology.kubernetes.io/zone", "a__b", "n1 n2 n3"),
        argumentSet("by the older label", "failure-domain.beta.kubernetes.io/zone", "b", "n2 n3"),
        argumentSet("a region that no node names", "topology.kubernetes.io/region", "r", "n3"),
        argumentSet(
            "a label that names an empty zone", "topology.kubernetes.io/zone", "a__", "n1 n2 n3"),
        argumentSet("another label", "color", "red", "n1 n2 n3"));
  }

  @ParameterizedTest
  @MethodSource("zones")
  void podsGoToTheZonesOfTheirVolumes(String label, String value, String allowed) {
    volumes.putClaim(boundClaim("data", "pv"));
    volumes.putVolume(
        (JsonObject)
            FieldPath.of("metadata", "labels", label).set(volume("pv", "5Gi", "slow", ""), value));
    assertThat(String.join(" ", cluster.allowed(ZONE, using(pod("new"), "data"))))
        .isEqualTo(allowed);
  }

  @Test
  void saysWhyAZoneWillNotDo() {
    volumes.putClaim(boundClaim("data", "pv"));
    assertThat(cluster.refusals(ZONE, using(pod("new"), "data")))
        .containsEntry("n1", "persistentvolume \"pv\" not found");
    volumes.putVolume(
        (JsonObject)
            FieldPath.of("metadata", "labels", "topology.kubernetes.io/zone")
                .set(volume("pv", "5Gi", "slow", ""), "a"));
    assertThat(cluster.refusals(ZONE, using(pod("new"), "data")))
        .containsOnlyKeys("n2")
        .containsValue("node(s) had no available volume zone");
  }

  @Test
  void claimsThatWaitForAConsumerHaveNoZone() {
    volumes.putStorageClass(storageClass("made", "csi.example", "WaitForFirstConsumer", ""));
    volumes.putStorageClass(storageClass("slow", "csi.example", "Immediate", ""));
    volumes.putClaim(freeClaim("data", "made"));
    volumes.putClaim(freeClaim("late", "slow"));
    assertThat(cluster.allowed(ZONE, using(pod("new"), "data"))).hasSize(3);
    assertThat(cluster.refusals(ZONE, using(pod("new"), "late")))
        .containsEntry("n1", "PersistentVolume had no name");
  }
}
