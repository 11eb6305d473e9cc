package dev.berth.sim.job;

import static dev.berth.client.Resources.JOBS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.meta.Metadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs that have finished go after a time. */
class TtlAfterFinishedTest {
  private final JobFixture fixture = JobFixture.start();

  @AfterEach
  void close() {
    assertThat(fixture.cluster.warnings()).isEmpty();
    fixture.close();
  }

  private void finish(String job, String spec) {
    fixture.job(job, spec);
    fixture.active().forEach(fixture::succeed);
    fixture.settle();
    assertThat(fixture.condition(job, "Complete")).startsWith("True");
  }

  private boolean isGoing(String job) {
    return fixture.find(job).filter(found -> !Metadata.of(found).isBeingDeleted()).isEmpty();
  }

  @Test
  void aJobGoesSoManySecondsAfterItFinishedAndTakesItsPodsAlong() {
    finish("short", "'ttlSecondsAfterFinished':60");
    fixture.advance(58);
    assertThat(isGoing("short")).isFalse();
    fixture.advance(1);
    assertThat(isGoing("short")).isTrue();
    // Its pods go first, by the garbage collector, which does not run here.
    assertThat(Metadata.of(fixture.find("short").orElseThrow()).finalizers())
        .contains("foregroundDeletion");
  }

  @Test
  void aRestartDoesNotBeginTheTimeAnew() {
    finish("down", "'ttlSecondsAfterFinished':60");
    fixture.advance(40);
    fixture.cluster.crash(JobFixture.TTL);
    fixture.advance(10);
    fixture.cluster.restart(JobFixture.TTL);
    fixture.advance(8);
    assertThat(isGoing("down")).isFalse();
    fixture.advance(1);
    assertThat(isGoing("down")).isTrue();
  }

  @Test
  void aLaterEditCounts() {
    finish("edited", "'ttlSecondsAfterFinished':60");
    fixture.patch("edited", "{'ttlSecondsAfterFinished':120}");
    fixture.advance(100);
    assertThat(isGoing("edited")).isFalse();
    fixture.patch("edited", "{'ttlSecondsAfterFinished':10}");
    assertThat(isGoing("edited")).isTrue();
  }

  @Test
  void othersStay() {
    finish("kept", "");
    fixture.job("running", "'ttlSecondsAfterFinished':0");
    fixture.advance(100_000);
    assertThat(isGoing("kept")).isFalse();
    assertThat(isGoing("running")).isFalse();
    fixture.patch("kept", "{'ttlSecondsAfterFinished':0}");
    assertThat(isGoing("kept")).isTrue();
    assertThat(fixture.cluster.list(JOBS)).isNotEmpty();
  }
}
