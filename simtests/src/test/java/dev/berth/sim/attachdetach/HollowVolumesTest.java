package dev.berth.sim.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.hollow.HollowSettings;
import dev.berth.model.resource.ObjectName;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.WholeCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What hollow nodes do about the volumes of their pods. */
class HollowVolumesTest {
  private static final String NODE = "hollow-0";

  private final WholeCluster whole = new WholeCluster(5, HollowSettings.of(2));
  private final VirtualCluster cluster = whole.cluster();
  private final AttachmentFixture volumes = new AttachmentFixture(cluster);

  @BeforeEach
  void register() {
    whole.advance(Duration.ofSeconds(30));
  }

  @AfterEach
  void close() {
    whole.close();
  }

  private String waitsFor(String pod) {
    return cluster
        .getPod(pod)
        .object("status")
        .array("containerStatuses")
        .objects()
        .getFirst()
        .object("state")
        .object("waiting")
        .text("reason", "");
  }

  @Test
  void aPodWaitsUntilItsVolumeIsAttached() {
    volumes.make("disk", "csi.test", "ReadWriteOnce");
    volumes.pod("web", NODE, "disk");
    whole.advance(Duration.ofMinutes(5));
    assertThat(volumes.attachments("disk")).as("nobody attaches").containsExactly(NODE + " wanted");
    assertThat(waitsFor("web")).isEqualTo("ContainerCreating");
    assertThat(volumes.inUse(NODE)).as("said before it is used").containsExactly("disk");

    cluster.patchStatus(
        Resources.VOLUME_ATTACHMENTS,
        ObjectName.of(cluster.list(Resources.VOLUME_ATTACHMENTS).getFirst()),
        "{'status':{'attached':true}}");
    whole.advance(Duration.ofSeconds(1));
    whole.assertRunning("web");
  }

  @Test
  void theHollowDriverAttachesAndDetaches() {
    volumes.make("disk", AttachmentFixture.HOLLOW, "ReadWriteOnce");
    volumes.pod("web", NODE, "disk");
    whole.advance(Duration.ofSeconds(5));
    whole.assertRunning("web");
    assertThat(volumes.reportedAttached(NODE)).containsExactly("disk");

    cluster.admin().delete(Resources.PODS, VirtualCluster.podName("web"));
    whole.advance(Duration.ofSeconds(5));
    assertThat(cluster.exists("web")).isFalse();
    assertThat(volumes.inUse(NODE)).isEmpty();
    assertThat(volumes.reportedAttached(NODE)).isEmpty();
    assertThat(volumes.attachments("disk")).isEmpty();
  }

  @Test
  void aPodWaitsForItsClaim() {
    volumes.claim("later", "ReadWriteOnce");
    volumes.pod("web", NODE, "later");
    whole.advance(Duration.ofMinutes(1));
    assertThat(waitsFor("web")).isEqualTo("ContainerCreating");
    volumes.bindClaim(
        "later", "ReadWriteOnce", "'csi':{'driver':'hollow.berth.dev','volumeHandle':'later'}");
    whole.advance(Duration.ofSeconds(5));
    whole.assertRunning("web");
  }

  @Test
  void aDirectoryOfTheNodeIsThereAtOnce() {
    volumes.makeLocal("directory");
    volumes.pod("web", NODE, "directory");
    whole.advance(Duration.ofSeconds(1));
    whole.assertRunning("web");
    assertThat(volumes.inUse(NODE)).isEmpty();
  }

  @Test
  void twoPodsOfANodeShareItsVolumeAndTheLastOneLetsItGo() {
    volumes.make("disk", AttachmentFixture.HOLLOW, "ReadWriteOnce");
    volumes.pod("one", NODE, "disk");
    volumes.pod("two", NODE, "disk");
    whole.advance(Duration.ofSeconds(5));
    whole.assertRunning("one");
    whole.assertRunning("two");
    cluster.admin().delete(Resources.PODS, VirtualCluster.podName("one"));
    whole.advance(Duration.ofSeconds(5));
    assertThat(volumes.inUse(NODE)).containsExactly("disk");
    whole.assertRunning("two");
    cluster.admin().delete(Resources.PODS, VirtualCluster.podName("two"));
    whole.advance(Duration.ofSeconds(5));
    assertThat(volumes.attachments("disk")).isEmpty();
  }

  @Test
  void aPodThatIsDeletedWhileItWaitsUsesNothing() {
    volumes.make("disk", "csi.test", "ReadWriteOnce");
    volumes.pod("web", NODE, "disk");
    whole.advance(Duration.ofSeconds(5));
    cluster.admin().delete(Resources.PODS, VirtualCluster.podName("web"));
    whole.advance(Duration.ofSeconds(5));
    assertThat(cluster.exists("web")).isFalse();
    assertThat(volumes.inUse(NODE)).isEmpty();
    assertThat(volumes.attachments("disk")).isEmpty();
  }

  @Test
  void nodesThatAreStartedAgainKeepWhatTheirPodsUse() {
    volumes.make("disk", AttachmentFixture.HOLLOW, "ReadWriteOnce");
    volumes.pod("web", NODE, "disk");
    whole.advance(Duration.ofSeconds(5));
    cluster.restart("hollow");
    whole.advance(Duration.ofMinutes(10));
    whole.assertRunning("web");
    assertThat(volumes.inUse(NODE)).containsExactly("disk");
    assertThat(volumes.attachments("disk")).containsExactly(NODE + " attached");
  }
}
