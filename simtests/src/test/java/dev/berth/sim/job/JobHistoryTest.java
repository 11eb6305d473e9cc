package dev.berth.sim.job;

import static dev.berth.client.Resources.JOBS;
import static dev.berth.client.Resources.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.DeleteOptions;
import dev.berth.controllers.job.JobController;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.job.JobPod;
import dev.berth.sim.history.History;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Whatever crashes and fails: each pod that ends while it is tracked is counted once, a job has no
 * more successes than it wants, and in the end it has ended and no pod is held any more.
 */
class JobHistoryTest {
  private static final int STEPS = 60;

  @SeededTest(fixed = 50, fresh = 30)
  void eachPodIsCountedOnce(long seed) {
    History.run(() -> new Run(seed));
  }

  private static final class Run extends History {
    private final JobFixture fixture = new JobFixture(cluster);
    private final long completions = 1L + random.nextInt(12);
    private final boolean isIndexed = random.nextBoolean();
    private final boolean replacesOnlyFailed = random.nextBoolean();

    /** Pods that succeeded and failed while they had their finalizers, by UID. */
    private final Set<String> succeeded = new HashSet<>();

    private final Set<String> failed = new HashSet<>();

    /** Pods whose deletion began while they had their finalizers. */
    private final Set<String> deleted = new HashSet<>();

    /** Pods that lost their finalizers before they ended: somebody has removed them. */
    private final Set<String> released = new HashSet<>();

    Run(long seed) {
      super(seed, STEPS, Duration.ZERO);
      watch(PODS, event -> podChanged(event.object()));
      cluster.run(JobFixture.CONTROLLER, () -> JobController.start(parts(JobController.ACCOUNT)));
      fixture.job(
          "work",
          "'completions':%d,'parallelism':%d,'backoffLimit':1000,'completionMode':'%s','podReplacementPolicy':'%s'"
              .formatted(
                  completions,
                  1 + random.nextInt(6),
                  isIndexed ? "Indexed" : "NonIndexed",
                  replacesOnlyFailed ? "Failed" : "TerminatingOrFailed"));
      crashes(1, JobFixture.CONTROLLER);
      step(2, "a pod succeeds", () -> any(fixture.active()).ifPresent(fixture::succeed));
      step(2, "a pod fails", () -> any(fixture.active()).ifPresent(fixture::fail));
      step(1, "delete a pod", () -> any(fixture.active()).ifPresent(this::delete));
      step(1, "change parallelism", () -> patch("'parallelism':" + random.nextInt(7)));
      step(1, "suspend or resume", () -> patch("'suspend':" + random.nextBoolean()));
      step(1, "deleted pods end", () -> finishDeleted(true));
    }

    private void podChanged(JsonObject pod) {
      String uid = Metadata.of(pod).uid();
      if (!JobPod.hasFinalizer(pod)) {
        boolean hasEnded = succeeded.contains(uid) || failed.contains(uid) || deleted.contains(uid);
        if (!hasEnded) {
          released.add(uid);
        }
        return;
      }
      if (Metadata.of(pod).isBeingDeleted()) {
        deleted.add(uid);
      }
      switch (pod.object("status").text("phase", "")) {
        case "Succeeded" -> succeeded.add(uid);
        case "Failed" -> failed.add(uid);
        default -> {}
      }
    }

    private void patch(String field) {
      cluster.patch(JOBS, JobFixture.name("work"), "{'spec':{" + field + "}}");
    }

    private void delete(JsonObject pod) {
      fixture.run(pod);
      cluster.admin().delete(PODS, ObjectName.of(pod), DeleteOptions.NONE.grace(30));
    }

    /** Nodes end the pods that are on their way out, as failed. */
    private void finishDeleted(boolean onlySome) {
      for (JsonObject pod : fixture.pods()) {
        if (Metadata.of(pod).isBeingDeleted() && (!onlySome || random.nextBoolean())) {
          String phase = pod.object("status").text("phase", "");
          if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
            fixture.fail(pod);
          }
          fixture.confirm(pod);
        }
      }
    }

    @Override
    protected void pause() {
      cluster.advance(upTo(Duration.ofSeconds(4)));
    }

    @Override
    protected void checkInvariant() {
      assertThat(fixture.count("work", "succeeded"))
          .as("successes")
          .isLessThanOrEqualTo(completions);
      assertThat(fixture.active()).as("active pods").hasSizeLessThanOrEqualTo(2 * 6);
    }

    @Override
    protected void calmDown() {
      if (!fixture.condition("work", "Complete").startsWith("True")) {
        fixture.patch("work", "{'suspend':false,'parallelism':3}");
      }
      for (int i = 0; i < 40 && fixture.condition("work", "Complete").isEmpty(); i++) {
        fixture.advance(700);
        fixture.active().forEach(fixture::succeed);
        finishDeleted(false);
      }
      fixture.advance(700);
    }

    @Override
    protected void checkEnd() {
      assertThat(fixture.condition("work", "Complete")).startsWith("True CompletionsReached");
      assertThat(fixture.isTracked()).as("pods are held").isFalse();
      assertThat(fixture.active()).isEmpty();
      assertThat(fixture.count("work", "succeeded")).isEqualTo(completions);
      if (!isIndexed) {
        assertThat((long) succeeded.size()).as("pods that succeeded").isEqualTo(completions);
      }
      Set<String> ended = new HashSet<>(failed);
      if (!replacesOnlyFailed) {
        ended.addAll(deleted);
      }
      ended.removeAll(succeeded);
      ended.removeAll(released);
      assertThat(fixture.count("work", "failed")).as("pods that failed").isEqualTo(ended.size());
      assertThat(fixture.status("work").object("uncountedTerminatedPods").isEmpty()).isTrue();
    }
  }
}
