package dev.berth.sim.statefulset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.controllers.statefulset.StatefulSetController;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.kubelet.TestKubelet;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods with names of their own that come and go in order, one of each name at most. */
class StatefulSetTest {
  private static final ObjectName WEB = new ObjectName("default", "web");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final VirtualCluster cluster = new VirtualCluster(1);
  private TestKubelet kubelet;

  @BeforeEach
  void start() {
    kubelet = TestKubelet.start(cluster.admin(), cluster.time());
    cluster.schedule();
    cluster.run(
        "stateful-sets",
        () -> StatefulSetController.start(cluster.parts(StatefulSetController.ACCOUNT)));
    cluster.node("n1", "8");
    cluster.node("n2", "8");
  }

  @AfterEach
  void stop() {
    assertThat(kubelet.doubles()).isEmpty();
    kubelet.close();
    cluster.close();
  }

  private void create(String further) {
    cluster.create(
        Resources.STATEFUL_SETS,
        ("{'metadata':{'namespace':'default','name':'web'},'spec':{'replicas':3,'serviceName':'www',"
                + "'selector':{'matchLabels':{'app':'web'}},%s"
                + "'template':{'metadata':{'labels':{'app':'web'}},'spec':{'terminationGracePeriodSeconds':5,"
                + "'containers':[{'name':'c','image':'i1'}]}}}}")
            .formatted(further));
    cluster.advance(Duration.ofSeconds(5));
  }

  private void patch(String spec) {
    cluster.patch(Resources.STATEFUL_SETS, WEB, "{'spec':" + spec + "}");
  }

  private void image(String image) {
    patch("{'template':{'spec':{'containers':[{'name':'c','image':'" + image + "'}]}}}");
  }

  /** Names and images of pods, in order. */
  private List<String> pods() {
    return cluster.list(Resources.PODS).stream()
        .map(pod ->
            Metadata.of(pod).name()
                + ":"
                + pod.object("spec").array("containers").objects().getFirst().text("image", "")
                + (Metadata.of(pod).isBeingDeleted() ? ":going" : ""))
        .sorted()
        .toList();
  }

  private void readiness(String pod, boolean ready) {
    cluster.patchStatus(
        Resources.PODS,
        VirtualCluster.podName(pod),
        "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'%s','lastTransitionTime':'2030-01-01T00:00:00Z'}]}}"
            .formatted(ready ? "True" : "False"));
  }

  private JsonObject set() {
    return cluster.list(Resources.STATEFUL_SETS).getFirst();
  }

  private long status(String field) {
    return set().object("status").integer(field).orElse(0);
  }

  private List<JsonObject> claims() {
    return cluster.list(Resources.PERSISTENT_VOLUME_CLAIMS);
  }

  private static final String CLAIMS =
      "'volumeClaimTemplates':[{'metadata':{'name':'data'},'spec':{'accessModes':['ReadWriteOnce'],"
          + "'resources':{'requests':{'storage':'1Gi'}}}}],";

  @Test
  void podsComeInOrderEachWhenTheOneBeforeIsReady() {
    kubelet.leaveUnready(true);
    create("");
    assertThat(pods()).containsExactly("web-0:i1");
    readiness("web-0", true);
    cluster.advance(SECOND);
    assertThat(pods()).containsExactly("web-0:i1", "web-1:i1");
    cluster.advance(Duration.ofMinutes(5));
    assertThat(pods()).hasSize(2);
    readiness("web-1", true);
    cluster.advance(SECOND);
    assertThat(pods()).hasSize(3);
    assertThat(status("readyReplicas")).isEqualTo(2);
  }

  @Test
  void podsHaveAnIdentity() {
    create("");
    JsonObject pod = cluster.getPod("web-1");
    Metadata metadata = Metadata.of(pod);
    assertThat(metadata.label("statefulset.kubernetes.io/pod-name")).contains("web-1");
    assertThat(metadata.label("apps.kubernetes.io/pod-index")).contains("1");
    assertThat(metadata.label("controller-revision-hash"))
        .contains(set().object("status").text("updateRevision", ""));
    assertThat(pod.object("spec").text("hostname")).isEqualTo("web-1");
    assertThat(pod.object("spec").text("subdomain")).isEqualTo("www");
    assertThat(metadata.isControlledBy(Metadata.of(set()).uid())).isTrue();
    assertThat(cluster.events("web", "SuccessfulCreate"))
        .isNotEmpty()
        .allMatch(note -> note.matches("create Pod web-. in StatefulSet web successful"));
  }

  @Test
  void theStatusCounts() {
    create("");
    cluster.advance(SECOND);
    JsonObject status = set().object("status");
    assertThat(status.text("currentRevision")).isEqualTo(status.text("updateRevision"));
    assertThat(status.text("currentRevision")).startsWith("web-");
    for (String field :
        List.of(
            "replicas",
            "readyReplicas",
            "availableReplicas",
            "currentReplicas",
            "updatedReplicas")) {
      assertThat(status(field)).as(field).isEqualTo(3);
    }
    assertThat(status("observedGeneration")).isEqualTo(1);
    assertThat(status.has("collisionCount")).isTrue();
  }

  @Test
  void parallelOnesDoNotWait() {
    kubelet.leaveUnready(true);
    create("'podManagementPolicy':'Parallel',");
    assertThat(pods()).hasSize(3);
    patch("{'replicas':1}");
    cluster.advance(SECOND);
    assertThat(pods()).containsExactly("web-0:i1");
  }

  @Test
  void scalingDownBeginsWithTheHighestAndWaitsForEach() {
    create("");
    kubelet.silence("n1");
    kubelet.silence("n2");
    patch("{'replicas':1}");
    cluster.advance(Duration.ofMinutes(10));
    assertThat(pods()).containsExactly("web-0:i1", "web-1:i1", "web-2:i1:going");
    kubelet.resume("n1");
    kubelet.resume("n2");
    cluster.advance(Duration.ofSeconds(5));
    assertThat(pods()).containsExactly("web-0:i1");
  }

  @Test
  void ordinalsBeginWhereTheSpecificationSays() {
    create("'ordinals':{'start':5},");
    assertThat(pods()).containsExactly("web-5:i1", "web-6:i1", "web-7:i1");
    patch("{'ordinals':{'start':6}}");
    cluster.advance(Duration.ofSeconds(5));
    assertThat(pods()).containsExactly("web-6:i1", "web-7:i1", "web-8:i1");
  }

  @Test
  void aRollingUpdateGoesFromTheHighestToTheLowest() {
    create("");
    kubelet.leaveUnready(true);
    image("i2");
    cluster.advance(Duration.ofMinutes(5));
    assertThat(pods()).containsExactly("web-0:i1", "web-1:i1", "web-2:i2");
    assertThat(status("updatedReplicas")).isEqualTo(1);
    readiness("web-2", true);
    cluster.advance(SECOND);
    assertThat(pods()).containsExactly("web-0:i1", "web-1:i2", "web-2:i2");
    kubelet.leaveUnready(false);
    readiness("web-1", true);
    cluster.advance(Duration.ofSeconds(5));
    assertThat(pods()).containsExactly("web-0:i2", "web-1:i2", "web-2:i2");
    cluster.advance(SECOND);
    assertThat(set().object("status").text("currentRevision"))
        .isEqualTo(set().object("status").text("updateRevision"));
    assertThat(status("currentReplicas")).isEqualTo(3);
  }

  @Test
  void aPartitionKeepsLowerOrdinalsAtTheCurrentRevision() {
    create("'updateStrategy':{'rollingUpdate':{'partition':2}},");
    image("i2");
    cluster.advance(Duration.ofSeconds(5));
    assertThat(pods()).containsExactly("web-0:i1", "web-1:i1", "web-2:i2");
    // What is made again below the partition is of the current revision.
    cluster.delete(Resources.PODS, VirtualCluster.podName("web-0"));
    cluster.advance(Duration.ofSeconds(5));
    assertThat(pods()).containsExactly("web-0:i1", "web-1:i1", "web-2:i2");
    assertThat(status("currentReplicas")).isEqualTo(2);

    patch("{'updateStrategy':{'rollingUpdate':{'partition':0}}}");
    cluster.advance(Duration.ofSeconds(5));
    assertThat(pods()).containsExactly("web-0:i2", "web-1:i2", "web-2:i2");
  }

  @Test
  void maxUnavailableReplacesSeveralAtOnce() {
    create(
        "'podManagementPolicy':'Parallel','updateStrategy':{'rollingUpdate':{'maxUnavailable':2}},");
    kubelet.leaveUnready(true);
    image("i2");
    cluster.advance(Duration.ofMinutes(1));
    assertThat(pods()).containsExactly("web-0:i1", "web-1:i2", "web-2:i2");
  }

  @Test
  void onDeleteWaitsForSomebodyToDeleteThePods() {
    create("'updateStrategy':{'type':'OnDelete'},");
    image("i2");
    cluster.advance(Duration.ofMinutes(1));
    assertThat(pods()).containsExactly("web-0:i1", "web-1:i1", "web-2:i1");
    cluster.delete(Resources.PODS, VirtualCluster.podName("web-1"));
    cluster.advance(Duration.ofSeconds(5));
    assertThat(pods()).containsExactly("web-0:i1", "web-1:i2", "web-2:i1");
  }

  @Test
  void minReadySecondsHoldTheNextPodBack() {
    create("'minReadySeconds':60,");
    assertThat(pods()).hasSize(1);
    cluster.advance(Duration.ofSeconds(50));
    assertThat(pods()).hasSize(1);
    cluster.advance(Duration.ofSeconds(10));
    assertThat(pods()).hasSize(2);
    cluster.advance(Duration.ofSeconds(61));
    assertThat(pods()).hasSize(3);
    assertThat(status("availableReplicas")).isEqualTo(2);
    cluster.advance(Duration.ofSeconds(61));
    assertThat(status("availableReplicas")).isEqualTo(3);
  }

  @Test
  void aFailedPodIsMadeAgainUnderItsName() {
    create("");
    String before = Metadata.of(cluster.getPod("web-1")).uid();
    cluster.patchStatus(
        Resources.PODS, VirtualCluster.podName("web-1"), "{'status':{'phase':'Failed'}}");
    cluster.advance(Duration.ofSeconds(5));
    assertThat(pods()).hasSize(3);
    assertThat(Metadata.of(cluster.getPod("web-1")).uid()).isNotEqualTo(before);
    assertThat(cluster.events("web", "RecreatingFailedPod"))
        .containsExactly("StatefulSet default/web is recreating failed Pod web-1");
  }

  /** Made at once, again at once, and after 1, 2 and 4 seconds more. */
  @Test
  void aPodThatNodesRejectIsMadeAgainLessAndLessOften() {
    kubelet.refuse("n1", "TaintToleration");
    kubelet.refuse("n2", "TaintToleration");
    create("");
    String rejected = Metadata.of(cluster.getPod("web-0")).uid();
    cluster.advance(SECOND.multipliedBy(2).minusMillis(1));
    assertThat(Metadata.of(cluster.getPod("web-0")).uid()).isEqualTo(rejected);
    cluster.advance(Duration.ofMillis(1));
    assertThat(Metadata.of(cluster.getPod("web-0")).uid()).isNotEqualTo(rejected);

    kubelet.accept("n1");
    kubelet.accept("n2");
    cluster.advance(SECOND.multipliedBy(9));
    assertThat(status("readyReplicas")).isEqualTo(3);
  }

  @Test
  void aPodOnALostNodeIsNotMadeAgainUntilItsDeletionIsConfirmed() {
    create("");
    String node = cluster.nodeOf("web-2");
    String before = Metadata.of(cluster.getPod("web-2")).uid();
    kubelet.silence(node);
    ApiResult asked =
        cluster.admin().delete(Resources.PODS, VirtualCluster.podName("web-2"), DeleteOptions.NONE);
    assertThat(asked.isDone()).isTrue();
    cluster.advance(Duration.ofHours(10));
    assertThat(pods()).containsExactly("web-0:i1", "web-1:i1", "web-2:i1:going");

    // The machine is known to be gone, so somebody deletes the pod by force.
    kubelet.destroy(node);
    cluster.patch(Resources.NODES, ObjectName.of(node), "{'spec':{'unschedulable':true}}");
    cluster.delete(Resources.PODS, VirtualCluster.podName("web-2"));
    cluster.advance(Duration.ofSeconds(5));
    assertThat(pods()).containsExactly("web-0:i1", "web-1:i1", "web-2:i1");
    assertThat(Metadata.of(cluster.getPod("web-2")).uid()).isNotEqualTo(before);
    assertThat(cluster.nodeOf("web-2")).isNotEqualTo(node);
  }

  @Test
  void eachPodHasItsClaims() {
    cluster.crash("scheduler");
    create("'podManagementPolicy':'Parallel'," + CLAIMS);
    assertThat(claims())
        .extracting(claim -> Metadata.of(claim).name())
        .containsExactlyInAnyOrder("data-web-0", "data-web-1", "data-web-2");
    assertThat(claims()).allMatch(c -> Metadata.of(c).label("app").equals(Optional.of("web")));
    assertThat(claims()).allMatch(c -> Metadata.of(c).ownerReferences().isEmpty());
    assertThat(cluster.getPod("web-1").object("spec").array("volumes").toString())
        .contains("{\"name\":\"data\",\"persistentVolumeClaim\":{\"claimName\":\"data-web-1\"}}");

    // They stay when the set is scaled, and a claim that is missing is made for a pod that waits.
    patch("{'replicas':1}");
    cluster.advance(Duration.ofMinutes(1));
    assertThat(claims()).hasSize(3);
  }

  @Test
  void claimsBelongToTheSetIfTheyGoWithIt() {
    cluster.crash("scheduler");
    create("'persistentVolumeClaimRetentionPolicy':{'whenDeleted':'Delete'}," + CLAIMS);
    assertThat(owners("data-web-0")).containsExactly("StatefulSet web");
    patch("{'persistentVolumeClaimRetentionPolicy':{'whenDeleted':'Retain'}}");
    cluster.advance(SECOND);
    assertThat(owners("data-web-0")).isEmpty();
  }

  @Test
  void claimsOfAPodThatIsScaledAwayBelongToItIfTheyGoWithIt() {
    create(
        "'podManagementPolicy':'Parallel','persistentVolumeClaimRetentionPolicy':{'whenScaled':'Delete'},"
            + CLAIMS);
    assertThat(owners("data-web-2")).isEmpty();
    kubelet.silence("n1");
    kubelet.silence("n2");
    cluster
        .list(Resources.PODS)
        .forEach(pod ->
            cluster.patch(
                Resources.PODS, ObjectName.of(pod), "{'metadata':{'finalizers':['test/holds']}}"));
    patch("{'replicas':2}");
    cluster.advance(Duration.ofSeconds(5));
    assertThat(owners("data-web-2")).containsExactly("Pod web-2");
    assertThat(owners("data-web-1")).isEmpty();
  }

  private List<String> owners(String claim) {
    return claims().stream()
        .filter(c -> Metadata.of(c).name().equals(claim))
        .flatMap(c -> Metadata.of(c).ownerReferences().stream())
        .map(owner -> owner.kind() + " " + owner.name())
        .toList();
  }

  @Test
  void orphansOfItsNamesAreAdopted() {
    create("");
    cluster.crash("stateful-sets");
    List<String> before = uids();
    cluster
        .list(Resources.PODS)
        .forEach(pod ->
            cluster.patch(
                Resources.PODS, ObjectName.of(pod), "{'metadata':{'ownerReferences':null}}"));
    cluster.pod("stranger", "1");
    cluster.patch(
        Resources.PODS,
        VirtualCluster.podName("stranger"),
        "{'metadata':{'labels':{'app':'web'}}}");
    cluster.restart("stateful-sets");
    cluster.advance(Duration.ofSeconds(5));
    assertThat(uids()).containsAll(before).hasSize(4);
    assertThat(cluster.list(Resources.PODS))
        .filteredOn(pod -> Metadata.of(pod).isControlledBy(Metadata.of(set()).uid()))
        .hasSize(3);
  }

  private List<String> uids() {
    return cluster.list(Resources.PODS).stream().map(p -> Metadata.of(p).uid()).toList();
  }

  @Test
  void revisionsAreTruncatedAndGoneBackTo() {
    create("'revisionHistoryLimit':1,");
    for (String image : List.of("i2", "i3", "i4", "i3")) {
      image(image);
      cluster.advance(Duration.ofSeconds(30));
    }
    assertThat(pods()).containsExactly("web-0:i3", "web-1:i3", "web-2:i3");
    assertThat(cluster.list(Resources.CONTROLLER_REVISIONS))
        .extracting(r -> r.integer("revision").orElse(0))
        .containsExactlyInAnyOrder(4L, 5L);
  }
}
