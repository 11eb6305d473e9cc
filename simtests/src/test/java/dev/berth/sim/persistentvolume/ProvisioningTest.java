package dev.berth.sim.persistentvolume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.hollow.HollowSettings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.persistentvolume.LocalDirectory;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.WholeCluster;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims that wait for their pods, on everything that {@code berth up --hollow} runs. */
class ProvisioningTest {
  private final WholeCluster whole = new WholeCluster(3, HollowSettings.of(4));
  private final VirtualCluster cluster = whole.cluster();
  private final VolumeFixture fixture = new VolumeFixture(cluster);

  @BeforeEach
  void theClassOfANewCluster() {
    whole.advance(Duration.ofSeconds(30));
    assertThat(
            cluster
                .admin()
                .create(Resources.STORAGE_CLASSES, LocalDirectory.defaultClass())
                .isDone())
        .isTrue();
  }

  @AfterEach
  void close() {
    assertThat(cluster.warnings()).isEmpty();
    whole.close();
  }

  private void statefulSet(int replicas, String retention) {
    cluster.create(
        Resources.STATEFUL_SETS,
        ("{'metadata':{'namespace':'default','name':'db'},'spec':{'replicas':%d,'serviceName':'db',"
                + "'persistentVolumeClaimRetentionPolicy':%s,"
                + "'selector':{'matchLabels':{'app':'db'}},'template':{'metadata':{'labels':{'app':'db'}},"
                + "'spec':{'terminationGracePeriodSeconds':1,'containers':[{'name':'c','image':'i'}]}},"
                + "'volumeClaimTemplates':[{'metadata':{'name':'data'},'spec':{"
                + "'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}]}}")
            .formatted(replicas, retention));
    whole.advance(Duration.ofSeconds(20));
  }

  private List<JsonObject> volumes() {
    return cluster.list(Resources.PERSISTENT_VOLUMES);
  }

  private static String nodeOf(JsonObject volume) {
    return volume
        .object("spec")
        .object("nodeAffinity")
        .object("required")
        .array("nodeSelectorTerms")
        .objects()
        .getFirst()
        .array("matchExpressions")
        .objects()
        .getFirst()
        .array("values")
        .texts()
        .getFirst();
  }

  @Test
  void theClaimsOfAStatefulSetGetDirectoriesWhereItsPodsAre() {
    statefulSet(3, "{}");
    for (String pod : List.of("db-0", "db-1", "db-2")) {
      whole.assertRunning(pod);
      String claim = "data-" + pod;
      String volume = fixture.getClaim(claim).object("spec").text("volumeName", "");
      assertThat(fixture.claimState(claim)).isEqualTo("Bound " + volume);
      assertThat(fixture.volumeState(volume)).isEqualTo("Bound " + claim);
      assertThat(nodeOf(fixture.getVolume(volume))).isEqualTo(cluster.nodeOf(pod));
      assertThat(fixture.getVolume(volume).object("spec").object("local").text("path"))
          .isEqualTo("/var/lib/berth/volumes/default-" + claim + "-" + volume);
    }
    assertThat(volumes()).hasSize(3);

    // A pod that comes back goes to its data.
    String before = cluster.nodeOf("db-1");
    fixture.delete(Resources.PODS, "db-1");
    whole.advance(Duration.ofSeconds(20));
    whole.assertRunning("db-1");
    assertThat(cluster.nodeOf("db-1")).isEqualTo(before);
    assertThat(volumes()).hasSize(3);
  }

  @Test
  void claimsThatGoWithTheirPodsTakeTheirVolumesWithThem() {
    statefulSet(3, "{'whenScaled':'Delete','whenDeleted':'Delete'}");
    cluster.patch(Resources.STATEFUL_SETS, VirtualCluster.podName("db"), "{'spec':{'replicas':1}}");
    whole.advance(Duration.ofSeconds(60));
    assertThat(cluster.list(Resources.PERSISTENT_VOLUME_CLAIMS))
        .extracting(claim -> Metadata.of(claim).name())
        .containsExactly("data-db-0");
    assertThat(volumes()).hasSize(1);

    assertThat(
            cluster.admin().delete(Resources.STATEFUL_SETS, VirtualCluster.podName("db")).isDone())
        .isTrue();
    whole.advance(Duration.ofSeconds(60));
    assertThat(cluster.list(Resources.PERSISTENT_VOLUME_CLAIMS)).isEmpty();
    assertThat(volumes()).isEmpty();
  }

  @Test
  void aClaimSaysWhichPodItWaitsFor() {
    fixture.claim("data", "1Gi", "local-directory", "");
    whole.advance(Duration.ofSeconds(2));
    assertThat(cluster.events("data", "WaitForFirstConsumer"))
        .containsExactly("waiting for first consumer to be created before binding");
    fixture.pod("db", "data");
    whole.advance(Duration.ofSeconds(5));
    whole.assertRunning("db");
    assertThat(fixture.claimState("data")).startsWith("Bound pvc-");
  }

  @Test
  void aVolumeThatSomebodyMadeIsBoundWhereThePodCanUseIt() {
    fixture.storageClass("disks", "kubernetes.io/no-provisioner", "WaitForFirstConsumer", "");
    for (String node : List.of("hollow-1", "hollow-2")) {
      cluster.create(
          Resources.PERSISTENT_VOLUMES,
          ("{'metadata':{'name':'disk-%s'},'spec':{'capacity':{'storage':'1Gi'},"
                  + "'accessModes':['ReadWriteOnce'],'storageClassName':'disks',"
                  + "'local':{'path':'/disk'},'nodeAffinity':{'required':{'nodeSelectorTerms':["
                  + "{'matchExpressions':[{'key':'kubernetes.io/hostname','operator':'In',"
                  + "'values':['%s']}]}]}}}}")
              .formatted(node, node));
    }
    fixture.claim("a", "1Gi", "disks", "");
    fixture.claim("b", "1Gi", "disks", "");
    whole.advance(Duration.ofSeconds(2));
    assertThat(fixture.claimState("a")).as("the scheduler chooses").isEqualTo("Pending");
    fixture.pod("pa", "a");
    fixture.pod("pb", "b");
    whole.advance(Duration.ofSeconds(10));
    TreeSet<String> nodes = new TreeSet<>();
    for (String claim : List.of("a", "b")) {
      whole.assertRunning("p" + claim);
      String node = cluster.nodeOf("p" + claim);
      assertThat(fixture.claimState(claim)).isEqualTo("Bound disk-" + node);
      nodes.add(node);
    }
    assertThat(nodes).containsExactly("hollow-1", "hollow-2");
  }

  @Test
  void aClaimInUseIsDeletedOnlyAfterItsPod() {
    fixture.claim("data", "1Gi", "local-directory", "");
    fixture.pod("db", "data");
    whole.advance(Duration.ofSeconds(5));
    String volume = fixture.getClaim("data").object("spec").text("volumeName", "");
    fixture.delete(Resources.PERSISTENT_VOLUME_CLAIMS, "data");
    whole.advance(Duration.ofMinutes(5));
    whole.restartControlPlane();
    whole.advance(Duration.ofMinutes(5));
    assertThat(fixture.claimState("data")).isEqualTo("Bound " + volume);
    whole.assertRunning("db");

    fixture.delete(Resources.PODS, "db");
    whole.advance(Duration.ofSeconds(10));
    assertThat(fixture.claimState("data")).isEqualTo("gone");
    assertThat(cluster.admin().get(Resources.PERSISTENT_VOLUMES, ObjectName.of(volume)).isDone())
        .isFalse();
  }

  /**
   * A volume that a pod had on a node whose agent removes directories; pod and claim are deleted.
   */
  private String deletedClaim(String reclaimPolicy) {
    fixture.claim("data", "1Gi", "local-directory", "");
    fixture.pod("db", "data");
    whole.advance(Duration.ofSeconds(5));
    String volume = fixture.getClaim("data").object("spec").text("volumeName", "");
    cluster.patch(
        Resources.NODES,
        ObjectName.of(cluster.nodeOf("db")),
        "{'metadata':{'annotations':{'" + LocalDirectory.REMOVED_BY_AGENT + "':'true'}}}");
    cluster.patch(
        Resources.PERSISTENT_VOLUMES,
        ObjectName.of(volume),
        "{'spec':{'persistentVolumeReclaimPolicy':'" + reclaimPolicy + "'}}");
    fixture.delete(Resources.PODS, "db");
    fixture.delete(Resources.PERSISTENT_VOLUME_CLAIMS, "data");
    whole.advance(Duration.ofSeconds(10));
    return volume;
  }

  /** The volumes whose directories nodes are told to remove. */
  private List<String> toldToNodes() {
    return cluster.list(Resources.NODES).stream()
        .flatMap(node -> Metadata.of(node).annotations().names().stream())
        .filter(key -> key.startsWith(LocalDirectory.DELETED_PREFIX))
        .map(key -> key.substring(LocalDirectory.DELETED_PREFIX.length()))
        .toList();
  }

  @Test
  void theNodeOfADeletedVolumeIsToldSoThatItRemovesTheDirectory() {
    String volume = deletedClaim("Delete");
    assertThat(volumes()).isEmpty();
    assertThat(toldToNodes()).containsExactly(volume);
  }

  @Test
  void noNodeIsToldToRemoveWhatIsRetained() {
    String volume = deletedClaim("Retain");
    assertThat(volumes()).hasSize(1);
    assertThat(cluster.admin().delete(Resources.PERSISTENT_VOLUMES, ObjectName.of(volume)).isDone())
        .isTrue();
    whole.advance(Duration.ofSeconds(10));
    assertThat(volumes()).isEmpty();
    assertThat(toldToNodes()).isEmpty();
  }
}
