package dev.berth.sim.job;

import static dev.berth.client.Resources.JOBS;
import static dev.berth.client.Resources.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.DeleteOptions;
import dev.berth.client.InformerSet;
import dev.berth.client.Informers;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.job.JobPod;
import dev.berth.sim.FaultyApi;
import dev.berth.time.Loop;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever crashes and fails: each pod that ends while it is tracked is counted once, a job has no
 * more successes than it wants, and in the end it has ended and no pod is held any more.
 */
class JobHistoryTest {
  /** Pods that succeeded and failed while they had their finalizers, by UID. */
  private final Set<String> succeeded = new HashSet<>();

  private final Set<String> failed = new HashSet<>();

  /** Pods that lost their finalizers before they ended: somebody has removed them. */
  private final Set<String> removed = new HashSet<>();

  private final Set<String> going = new HashSet<>();

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 80);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void eachPodIsCountedOnce(long seed) {
    try (JobScene scene = new JobScene(seed)) {
      Loop loop = scene.cluster.time().start("witness");
      Informers own = Informers.separate(scene.cluster.admin(), scene.cluster.time());
      InformerSet informers = new InformerSet(own, loop, () -> {}, _ -> {});
      informers.on(PODS, this::seen);
      informers.start();
      history(scene, scene.cluster.time().random("history"));
      informers.close();
      loop.close();
    }
  }

  private void seen(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after == null) {
      return;
    }
    String uid = Metadata.of(after).uid();
    if (!JobPod.hasFinalizer(after)) {
      boolean hasEnded = succeeded.contains(uid) || failed.contains(uid) || going.contains(uid);
      if (!hasEnded) {
        removed.add(uid);
      }
      return;
    }
    if (Metadata.of(after).isBeingDeleted()) {
      going.add(uid);
    }
    switch (after.object("status").text("phase", "")) {
      case "Succeeded" -> succeeded.add(uid);
      case "Failed" -> failed.add(uid);
      default -> {}
    }
  }

  private void history(JobScene scene, RandomGenerator random) {
    long completions = 1L + random.nextInt(12);
    boolean isIndexed = random.nextBoolean();
    boolean replacesOnlyFailed = random.nextBoolean();
    FaultyApi faulty = scene.fail();
    scene.job(
        "work",
        "'completions':%d,'parallelism':%d,'backoffLimit':1000,'completionMode':'%s','podReplacementPolicy':'%s'"
            .formatted(
                completions,
                1 + random.nextInt(6),
                isIndexed ? "Indexed" : "NonIndexed",
                replacesOnlyFailed ? "Failed" : "TerminatingOrFailed"));
    for (int i = 0; i < 60; i++) {
      happen(scene, random);
      scene.cluster.advance(Duration.ofMillis(random.nextInt(4_000)));
      assertThat(scene.count("work", "succeeded")).as("successes").isLessThanOrEqualTo(completions);
      assertThat(scene.active()).as("active pods").hasSizeLessThanOrEqualTo(2 * 6);
    }
    faulty.heal();
    if (!scene.condition("work", "Complete").startsWith("True")) {
      scene.patch("work", "{'suspend':false,'parallelism':3}");
    }
    for (int i = 0; i < 40 && scene.condition("work", "Complete").isEmpty(); i++) {
      scene.advance(700);
      scene.active().forEach(scene::succeed);
      finishGoing(scene, random, false);
    }
    scene.advance(700);
    assertThat(scene.condition("work", "Complete")).startsWith("True CompletionsReached");
    assertThat(scene.isTracked()).as("pods are held").isFalse();
    assertThat(scene.active()).isEmpty();
    assertThat(scene.count("work", "succeeded")).isEqualTo(completions);
    if (!isIndexed) {
      assertThat((long) succeeded.size()).as("pods that succeeded").isEqualTo(completions);
    }
    long failures = scene.count("work", "failed");
    Set<String> ended = new HashSet<>(failed);
    if (!replacesOnlyFailed) {
      ended.addAll(going);
    }
    ended.removeAll(succeeded);
    ended.removeAll(removed);
    assertThat(failures).as("pods that failed").isEqualTo(ended.size());
    assertThat(scene.status("work").object("uncountedTerminatedPods").isEmpty()).isTrue();
  }

  private static void happen(JobScene scene, RandomGenerator random) {
    List<JsonObject> active = scene.active();
    JsonObject some =
        active.isEmpty() ? JsonObject.EMPTY : active.get(random.nextInt(active.size()));
    switch (random.nextInt(10)) {
      case 0, 1 -> scene.cluster.restart(JobScene.CONTROLLER);
      case 2, 3 -> {
        if (!some.isEmpty()) {
          scene.succeed(some);
        }
      }
      case 4, 5 -> {
        if (!some.isEmpty()) {
          scene.fail(some);
        }
      }
      case 6 -> {
        if (!some.isEmpty()) {
          scene.run(some);
          scene.cluster.admin().delete(PODS, ObjectName.of(some), DeleteOptions.NONE.grace(30));
        }
      }
      case 7 ->
          scene.cluster.patch(
              JOBS, JobScene.name("work"), "{'spec':{'parallelism':" + random.nextInt(7) + "}}");
      case 8 ->
          scene.cluster.patch(
              JOBS, JobScene.name("work"), "{'spec':{'suspend':" + random.nextBoolean() + "}}");
      default -> finishGoing(scene, random, true);
    }
  }

  /** Nodes end the pods that are on their way out, as failed. */
  private static void finishGoing(JobScene scene, RandomGenerator random, boolean onlySome) {
    for (JsonObject pod : scene.pods()) {
      if (Metadata.of(pod).isBeingDeleted() && (!onlySome || random.nextBoolean())) {
        String phase = pod.object("status").text("phase", "");
        if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
          scene.fail(pod);
        }
        scene.confirm(pod);
      }
    }
  }
}
