package dev.berth.sim.job;

import static dev.berth.client.Resources.EVENTS;
import static dev.berth.client.Resources.JOBS;
import static dev.berth.client.Resources.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.DeleteOptions;
import dev.berth.client.PatchType;
import dev.berth.client.Target;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.job.JobPod;
import dev.berth.sim.VirtualCluster;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs run pods until as many as wanted have succeeded, or too many have failed. */
class JobTest {
  private static final GroupVersionResource QUOTAS =
      new GroupVersionResource("", "v1", "resourcequotas");

  private final JobScene scene = new JobScene(1);

  @AfterEach
  void close() {
    assertThat(scene.cluster.warnings()).isEmpty();
    scene.close();
  }

  private JsonObject pod() {
    return scene.active().getFirst();
  }

  @Test
  void aPodRunsToItsEndAndTheJobIsComplete() {
    scene.job("pi", "");
    assertThat(pod().object("metadata").toString()).contains(JobPod.FINALIZER, "\"pi-");
    assertThat(scene.count("pi", "active")).isEqualTo(1);
    assertThat(scene.status("pi").has("startTime")).isTrue();

    scene.run(pod());
    scene.settle();
    assertThat(scene.count("pi", "ready")).isEqualTo(1);

    scene.advance(9);
    scene.succeed(pod());
    scene.settle();
    assertThat(scene.condition("pi", "SuccessCriteriaMet"))
        .isEqualTo("True CompletionsReached: Reached expected number of succeeded pods");
    assertThat(scene.condition("pi", "Complete"))
        .isEqualTo("True CompletionsReached: Reached expected number of succeeded pods");
    JsonObject status = scene.status("pi");
    assertThat(scene.count("pi", "succeeded")).isEqualTo(1);
    assertThat(status.has("active")).isFalse();
    assertThat(status.has("completionTime")).isTrue();
    assertThat(status.object("uncountedTerminatedPods").isEmpty()).isTrue();
    assertThat(scene.isTracked()).isFalse();
    assertThat(scene.cluster.events("pi", "SuccessfulCreate"))
        .singleElement()
        .asString()
        .startsWith("Created pod: pi-");
    assertThat(scene.cluster.events("pi", "Completed")).containsExactly("Job completed");
    assertThat(scene.cluster.metrics("job-controller"))
        .contains(
            "job_controller_jobs_finished_total{completion_mode=\"NonIndexed\",result=\"succeeded\",reason=\"\"} 1",
            "job_controller_job_pods_finished_total{completion_mode=\"NonIndexed\",result=\"succeeded\"} 1",
            "job_controller_job_syncs_total{completion_mode=\"NonIndexed\",result=\"success\",action=\"pods_created\"} 1");
  }

  @Test
  void soManyPodsRunAtOnceAndNoMoreThanSuccessesAreMissing() {
    scene.job("many", "'completions':5,'parallelism':2");
    for (int left = 5; left > 0; left--) {
      assertThat(scene.active()).hasSize(Math.min(2, left));
      scene.succeed(pod());
      scene.settle();
    }
    assertThat(scene.count("many", "succeeded")).isEqualTo(5);
    assertThat(scene.pods()).hasSize(5);
    assertThat(scene.condition("many", "Complete")).startsWith("True");
  }

  @Test
  void aJobWithoutCompletionsIsDoneWhenOnePodSucceedsAndTheOthersEnd() {
    scene.job("queue", "'parallelism':3");
    assertThat(scene.active()).hasSize(3);
    scene.succeed(pod());
    scene.settle();
    assertThat(scene.active()).hasSize(2);
    assertThat(scene.condition("queue", "Complete")).isEmpty();

    scene.fail(pod());
    scene.settle();
    assertThat(scene.active()).hasSize(1);
    scene.succeed(pod());
    scene.settle();
    assertThat(scene.condition("queue", "Complete")).startsWith("True CompletionsReached");
    assertThat(scene.count("queue", "succeeded")).isEqualTo(2);
    assertThat(scene.count("queue", "failed")).isEqualTo(1);
  }

  @Test
  void anotherPodComesTenSecondsAfterTheFirstFailureAndThenTwiceAsLate() {
    scene.job("flaky", "");
    scene.advance(4);
    scene.fail(pod());
    scene.settle();
    assertThat(scene.count("flaky", "failed")).isEqualTo(1);
    scene.advance(8);
    assertThat(scene.active()).isEmpty();
    scene.advance(1);
    assertThat(scene.active()).hasSize(1);

    scene.fail(pod());
    scene.cluster.restart(JobScene.CONTROLLER);
    scene.advance(19);
    assertThat(scene.active()).isEmpty();
    scene.advance(1);
    assertThat(scene.active()).hasSize(1);
  }

  @Test
  void tooManyFailuresEndTheJobOnceItsPodsAreGone() {
    scene.job("bad", "'backoffLimit':1,'parallelism':3,'completions':9");
    scene.active().forEach(scene::run);
    scene.fail(scene.active().get(0));
    scene.fail(pod());
    scene.settle();
    assertThat(scene.condition("bad", "FailureTarget"))
        .isEqualTo("True BackoffLimitExceeded: Job has reached the specified backoff limit");
    assertThat(scene.condition("bad", "Failed")).isEmpty();
    assertThat(scene.count("bad", "terminating")).isEqualTo(1);
    assertThat(scene.active()).isEmpty();

    scene.confirmAll();
    assertThat(scene.condition("bad", "Failed"))
        .isEqualTo("True BackoffLimitExceeded: Job has reached the specified backoff limit");
    assertThat(scene.count("bad", "failed")).isEqualTo(3);
    assertThat(scene.status("bad").has("completionTime")).isFalse();
    assertThat(scene.cluster.events("bad", "BackoffLimitExceeded")).hasSize(1);
    assertThat(scene.cluster.events("bad", "SuccessfulDelete")).hasSize(1);
    assertThat(scene.isTracked()).isFalse();
  }

  @Test
  void restartsOfContainersCountAgainstTheLimitToo() {
    scene.job("again", "'backoffLimit':2", "'restartPolicy':'OnFailure'");
    scene.run(pod());
    scene.status(
        pod(),
        "'containerStatuses':[{'name':'c','image':'i','imageID':'','ready':true,'restartCount':2,'state':{'running':{}}}]");
    scene.settle();
    assertThat(scene.condition("again", "FailureTarget")).startsWith("True BackoffLimitExceeded");
  }

  @Test
  void aJobIsNotActiveLongerThanItsDeadline() {
    scene.job("late", "'activeDeadlineSeconds':60");
    scene.advance(58);
    assertThat(scene.condition("late", "FailureTarget")).isEmpty();
    scene.advance(2);
    assertThat(scene.condition("late", "FailureTarget"))
        .isEqualTo("True DeadlineExceeded: Job was active longer than specified deadline");
    scene.confirmAll();
    assertThat(scene.condition("late", "Failed")).startsWith("True DeadlineExceeded");
  }

  @Test
  void aSuspendedJobHasNoPodsAndItsTimeBeginsAnewWhenItIsResumed() {
    scene.job("pause", "'parallelism':2,'completions':2,'activeDeadlineSeconds':60");
    scene.active().forEach(scene::run);
    scene.advance(30);
    scene.patch("pause", "{'suspend':true}");
    assertThat(scene.active()).isEmpty();
    assertThat(scene.condition("pause", "Suspended")).isEqualTo("True JobSuspended: Job suspended");
    assertThat(scene.status("pause").has("startTime")).isFalse();
    assertThat(scene.count("pause", "terminating")).isEqualTo(2);
    scene.confirmAll();
    assertThat(scene.pods()).isEmpty();
    assertThat(scene.count("pause", "failed")).isZero();

    scene.advance(600);
    scene.patch("pause", "{'suspend':false}");
    assertThat(scene.active()).hasSize(2);
    assertThat(scene.condition("pause", "Suspended")).isEqualTo("False JobResumed: Job resumed");
    assertThat(scene.cluster.events("pause", "Suspended")).containsExactly("Job suspended");
    assertThat(scene.cluster.events("pause", "Resumed")).containsExactly("Job resumed");
    scene.advance(57);
    assertThat(scene.condition("pause", "FailureTarget")).isEmpty();
    scene.advance(3);
    assertThat(scene.condition("pause", "FailureTarget")).startsWith("True DeadlineExceeded");
  }

  @Test
  void aPodThatIsDeletedCountsAsAFailureAndIsReplaced() {
    scene.job("lost", "");
    scene.run(pod());
    scene.cluster.admin().delete(PODS, ObjectName.of(pod()));
    scene.advance(11);
    assertThat(scene.count("lost", "failed")).isEqualTo(1);
    assertThat(scene.active()).hasSize(1);
    assertThat(scene.pods()).hasSize(2);
  }

  @Test
  void aJobThatReplacesOnlyFailedPodsWaitsForThemToEnd() {
    scene.job("careful", "'podReplacementPolicy':'Failed'");
    scene.run(pod());
    JsonObject going = pod();
    scene.cluster.admin().delete(PODS, ObjectName.of(going));
    scene.advance(60);
    assertThat(scene.active()).isEmpty();
    assertThat(scene.count("careful", "failed")).isZero();
    assertThat(scene.count("careful", "terminating")).isEqualTo(1);

    scene.fail(going);
    scene.confirm(going);
    scene.advance(11);
    assertThat(scene.count("careful", "failed")).isEqualTo(1);
    assertThat(scene.active()).hasSize(1);
    assertThat(scene.pods()).hasSize(1);
  }

  @Test
  void aJobOfAnotherControllerIsLeftAlone() {
    scene.job("theirs", "'managedBy':'example.com/queue'");
    scene.advance(60);
    assertThat(scene.pods()).isEmpty();
    assertThat(scene.status("theirs").isEmpty()).isTrue();
  }

  @Test
  void podsOfADeletedJobLoseTheirFinalizers() {
    scene.job("gone", "'parallelism':2");
    scene.active().forEach(scene::run);
    DeleteOptions options = DeleteOptions.NONE.propagation(DeleteOptions.Propagation.BACKGROUND);
    scene.cluster.admin().delete(JOBS, JobScene.name("gone"), options);
    scene.settle();
    // Until they are deleted, their job may only not have been heard of; that is the collector's.
    scene.pods().forEach(pod -> scene.cluster.admin().delete(PODS, ObjectName.of(pod)));
    scene.settle();
    assertThat(scene.isTracked()).isFalse();
    scene.confirmAll();
    assertThat(scene.pods()).isEmpty();
  }

  @Test
  void podsThatLoseTheirOwnerLoseTheirFinalizersWhileTheControllerIsDown() {
    scene.job("orphaned", "");
    scene.cluster.crash(JobScene.CONTROLLER);
    JsonObject pod = pod();
    scene.cluster.admin().delete(JOBS, JobScene.name("orphaned"));
    scene.cluster.patch(PODS, ObjectName.of(pod), "{'metadata':{'ownerReferences':null}}");
    scene.cluster.restart(JobScene.CONTROLLER);
    scene.settle();
    assertThat(scene.isTracked()).isFalse();
  }

  @Test
  void adoptsPodsThatItSelectsAndLetsGoOthers() {
    scene.cluster.pod("alone", "1m", "{'restartPolicy':'Never'}");
    scene.cluster.patch(PODS, JobScene.name("alone"), "{'metadata':{'labels':{'app':'x'}}}");
    scene.cluster.create(
        JOBS,
        "{'metadata':{'name':'own','namespace':'default'},'spec':{'manualSelector':true,'selector':{'matchLabels':{'app':'x'}},"
            + "'template':{'metadata':{'labels':{'app':'x'}},'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}}");
    scene.settle();
    JsonObject adopted = scene.cluster.getPod("alone");
    assertThat(scene.pods()).hasSize(1);
    assertThat(Metadata.of(adopted).controller().orElseThrow().name()).isEqualTo("own");
    assertThat(JobPod.hasFinalizer(adopted)).isTrue();

    scene.cluster.patch(PODS, JobScene.name("alone"), "{'metadata':{'labels':{'app':'y'}}}");
    scene.settle();
    JsonObject released = scene.cluster.getPod("alone");
    assertThat(Metadata.of(released).controller()).isEmpty();
    assertThat(JobPod.hasFinalizer(released)).isFalse();
    assertThat(scene.pods()).hasSize(2);
  }

  @Test
  void fewerAtOnceMeansThatSomeAreDeletedAndNotCounted() {
    scene.job("less", "'parallelism':4,'completions':10");
    scene.run(pod());
    scene.patch("less", "{'parallelism':1}");
    assertThat(scene.active())
        .singleElement()
        .matches(pod -> pod.object("status").text("phase", "").equals("Running"));
    assertThat(scene.count("less", "failed")).isZero();
  }

  @Test
  void thousandsOfPodsAreCountedByFewWrites() {
    scene.job("big", "'parallelism':2000,'completions':2000");
    scene.advance(10);
    assertThat(scene.active()).hasSize(2000);
    scene.active().forEach(scene::succeed);
    scene.advance(10);
    assertThat(scene.count("big", "succeeded")).isEqualTo(2000);
    assertThat(scene.condition("big", "Complete")).startsWith("True");
    assertThat(scene.isTracked()).isFalse();
    assertThat(scene.cluster.list(EVENTS)).hasSizeLessThan(10);
  }

  @Test
  void aRefusalIsToldAndTriedAgain() {
    scene.cluster.create(
        QUOTAS, "{'metadata':{'name':'q','namespace':'default'},'spec':{'hard':{'pods':'1'}}}");
    scene.job("refused", "'parallelism':3,'completions':3");
    assertThat(scene.active()).hasSize(1);
    assertThat(scene.cluster.events("refused", "FailedCreate"))
        .isNotEmpty()
        .allMatch(note -> note.startsWith("Error creating: pods \"refused-"));
    scene.cluster.patch(QUOTAS, JobScene.name("q"), "{'spec':{'hard':{'pods':'9'}}}");
    scene.advance(60);
    assertThat(scene.active()).hasSize(3);
  }

  @Test
  void aPodWithoutAJobsFinalizerIsNotCountedTwice() {
    scene.job("twice", "'completions':2");
    scene.succeed(pod());
    scene.settle();
    JsonObject counted = scene.pods().getFirst();
    Target status = Target.of(PODS, ObjectName.of(counted)).subresource("status");
    scene
        .cluster
        .admin()
        .patch(status, PatchType.MERGE, VirtualCluster.tree("{'status':{'message':'still here'}}"));
    scene.cluster.restart(JobScene.CONTROLLER);
    scene.advance(60);
    assertThat(scene.count("twice", "succeeded")).isEqualTo(1);
    assertThat(List.copyOf(scene.active())).hasSize(1);
  }
}
