package dev.berth.sim.job;

import static dev.berth.client.Resources.JOBS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.meta.Metadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs that have finished go after a time. */
class TtlAfterFinishedTest {
  private final JobScene scene = new JobScene(1);

  @AfterEach
  void close() {
    assertThat(scene.cluster.warnings()).isEmpty();
    scene.close();
  }

  private void finish(String job, String spec) {
    scene.job(job, spec);
    scene.active().forEach(scene::succeed);
    scene.settle();
    assertThat(scene.condition(job, "Complete")).startsWith("True");
  }

  private boolean isGoing(String job) {
    return scene.find(job).filter(found -> !Metadata.of(found).isBeingDeleted()).isEmpty();
  }

  @Test
  void aJobGoesSoManySecondsAfterItFinishedAndTakesItsPodsAlong() {
    finish("short", "'ttlSecondsAfterFinished':60");
    scene.advance(58);
    assertThat(isGoing("short")).isFalse();
    scene.advance(1);
    assertThat(isGoing("short")).isTrue();
    // Its pods go first, by the garbage collector, which does not run here.
    assertThat(Metadata.of(scene.find("short").orElseThrow()).finalizers())
        .contains("foregroundDeletion");
  }

  @Test
  void aRestartDoesNotBeginTheTimeAnew() {
    finish("down", "'ttlSecondsAfterFinished':60");
    scene.advance(40);
    scene.cluster.crash(JobScene.TTL);
    scene.advance(10);
    scene.cluster.restart(JobScene.TTL);
    scene.advance(8);
    assertThat(isGoing("down")).isFalse();
    scene.advance(1);
    assertThat(isGoing("down")).isTrue();
  }

  @Test
  void aLaterEditCounts() {
    finish("edited", "'ttlSecondsAfterFinished':60");
    scene.patch("edited", "{'ttlSecondsAfterFinished':120}");
    scene.advance(100);
    assertThat(isGoing("edited")).isFalse();
    scene.patch("edited", "{'ttlSecondsAfterFinished':10}");
    assertThat(isGoing("edited")).isTrue();
  }

  @Test
  void othersStay() {
    finish("kept", "");
    scene.job("running", "'ttlSecondsAfterFinished':0");
    scene.advance(100_000);
    assertThat(isGoing("kept")).isFalse();
    assertThat(isGoing("running")).isFalse();
    scene.patch("kept", "{'ttlSecondsAfterFinished':0}");
    assertThat(isGoing("kept")).isTrue();
    assertThat(scene.cluster.list(JOBS)).isNotEmpty();
  }
}
