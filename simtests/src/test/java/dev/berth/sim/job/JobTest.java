package dev.berth.sim.job;

import static dev.berth.client.Resources.EVENTS;
import static dev.berth.client.Resources.JOBS;
import static dev.berth.client.Resources.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.DeleteOptions;
import dev.berth.client.PatchType;
import dev.berth.client.Target;
import dev.berth.controllers.resourcequota.ResourceQuotaController;
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

  private final JobFixture fixture = JobFixture.start();

  @AfterEach
  void close() {
    assertThat(fixture.cluster.warnings()).isEmpty();
    fixture.close();
  }

  private JsonObject pod() {
    return fixture.active().getFirst();
  }

  @Test
  void aPodRunsToItsEndAndTheJobIsComplete() {
    fixture.job("pi", "");
    assertThat(pod().object("metadata").toString()).contains(JobPod.FINALIZER, "\"pi-");
    assertThat(fixture.count("pi", "active")).isEqualTo(1);
    assertThat(fixture.status("pi").has("startTime")).isTrue();

    fixture.run(pod());
    fixture.settle();
    assertThat(fixture.count("pi", "ready")).isEqualTo(1);

    fixture.advance(9);
    fixture.succeed(pod());
    fixture.settle();
    assertThat(fixture.condition("pi", "SuccessCriteriaMet"))
        .isEqualTo("True CompletionsReached: Reached expected number of succeeded pods");
    assertThat(fixture.condition("pi", "Complete"))
        .isEqualTo("True CompletionsReached: Reached expected number of succeeded pods");
    JsonObject status = fixture.status("pi");
    assertThat(fixture.count("pi", "succeeded")).isEqualTo(1);
    assertThat(status.has("active")).isFalse();
    assertThat(status.has("completionTime")).isTrue();
    assertThat(status.object("uncountedTerminatedPods").isEmpty()).isTrue();
    assertThat(fixture.isTracked()).isFalse();
    assertThat(fixture.cluster.events("pi", "SuccessfulCreate"))
        .singleElement()
        .asString()
        .startsWith("Created pod: pi-");
    assertThat(fixture.cluster.events("pi", "Completed")).containsExactly("Job completed");
    assertThat(fixture.cluster.metrics("job-controller"))
        .contains(
            "job_controller_jobs_finished_total{completion_mode=\"NonIndexed\",result=\"succeeded\",reason=\"\"} 1",
            "job_controller_job_pods_finished_total{completion_mode=\"NonIndexed\",result=\"succeeded\"} 1",
            "job_controller_job_syncs_total{completion_mode=\"NonIndexed\",result=\"success\",action=\"pods_created\"} 1");
  }

  @Test
  void soManyPodsRunAtOnceAndNoMoreThanSuccessesAreMissing() {
    fixture.job("many", "'completions':5,'parallelism':2");
    for (int left = 5; left > 0; left--) {
      assertThat(fixture.active()).hasSize(Math.min(2, left));
      fixture.succeed(pod());
      fixture.settle();
    }
    assertThat(fixture.count("many", "succeeded")).isEqualTo(5);
    assertThat(fixture.pods()).hasSize(5);
    assertThat(fixture.condition("many", "Complete")).startsWith("True");
  }

  @Test
  void aJobWithoutCompletionsIsDoneWhenOnePodSucceedsAndTheOthersEnd() {
    fixture.job("queue", "'parallelism':3");
    assertThat(fixture.active()).hasSize(3);
    fixture.succeed(pod());
    fixture.settle();
    assertThat(fixture.active()).hasSize(2);
    assertThat(fixture.condition("queue", "Complete")).isEmpty();

    fixture.fail(pod());
    fixture.settle();
    assertThat(fixture.active()).hasSize(1);
    fixture.succeed(pod());
    fixture.settle();
    assertThat(fixture.condition("queue", "Complete")).startsWith("True CompletionsReached");
    assertThat(fixture.count("queue", "succeeded")).isEqualTo(2);
    assertThat(fixture.count("queue", "failed")).isEqualTo(1);
  }

  @Test
  void anotherPodComesTenSecondsAfterTheFirstFailureAndThenTwiceAsLate() {
    fixture.job("flaky", "");
    fixture.advance(4);
    fixture.fail(pod());
    fixture.settle();
    assertThat(fixture.count("flaky", "failed")).isEqualTo(1);
    fixture.advance(8);
    assertThat(fixture.active()).isEmpty();
    fixture.advance(1);
    assertThat(fixture.active()).hasSize(1);

    fixture.fail(pod());
    fixture.cluster.restart(JobFixture.CONTROLLER);
    fixture.advance(19);
    assertThat(fixture.active()).isEmpty();
    fixture.advance(1);
    assertThat(fixture.active()).hasSize(1);
  }

  @Test
  void tooManyFailuresEndTheJobOnceItsPodsAreGone() {
    fixture.job("bad", "'backoffLimit':1,'parallelism':3,'completions':9");
    fixture.active().forEach(fixture::run);
    fixture.fail(fixture.active().get(0));
    fixture.fail(pod());
    fixture.settle();
    assertThat(fixture.condition("bad", "FailureTarget"))
        .isEqualTo("True BackoffLimitExceeded: Job has reached the specified backoff limit");
    assertThat(fixture.condition("bad", "Failed")).isEmpty();
    assertThat(fixture.count("bad", "terminating")).isEqualTo(1);
    assertThat(fixture.active()).isEmpty();

    fixture.confirmAll();
    assertThat(fixture.condition("bad", "Failed"))
        .isEqualTo("True BackoffLimitExceeded: Job has reached the specified backoff limit");
    assertThat(fixture.count("bad", "failed")).isEqualTo(3);
    assertThat(fixture.status("bad").has("completionTime")).isFalse();
    assertThat(fixture.cluster.events("bad", "BackoffLimitExceeded")).hasSize(1);
    assertThat(fixture.cluster.events("bad", "SuccessfulDelete")).hasSize(1);
    assertThat(fixture.isTracked()).isFalse();
  }

  @Test
  void restartsOfContainersCountAgainstTheLimitToo() {
    fixture.job("again", "'backoffLimit':2", "'restartPolicy':'OnFailure'");
    fixture.run(pod());
    fixture.status(
        pod(),
        "'containerStatuses':[{'name':'c','image':'i','imageID':'','ready':true,'restartCount':2,'state':{'running':{}}}]");
    fixture.settle();
    assertThat(fixture.condition("again", "FailureTarget")).startsWith("True BackoffLimitExceeded");
  }

  @Test
  void aJobIsNotActiveLongerThanItsDeadline() {
    fixture.job("late", "'activeDeadlineSeconds':60");
    fixture.advance(58);
    assertThat(fixture.condition("late", "FailureTarget")).isEmpty();
    fixture.advance(2);
    assertThat(fixture.condition("late", "FailureTarget"))
        .isEqualTo("True DeadlineExceeded: Job was active longer than specified deadline");
    fixture.confirmAll();
    assertThat(fixture.condition("late", "Failed")).startsWith("True DeadlineExceeded");
  }

  @Test
  void aSuspendedJobHasNoPodsAndItsTimeBeginsAnewWhenItIsResumed() {
    fixture.job("pause", "'parallelism':2,'completions':2,'activeDeadlineSeconds':60");
    fixture.active().forEach(fixture::run);
    fixture.advance(30);
    fixture.patch("pause", "{'suspend':true}");
    assertThat(fixture.active()).isEmpty();
    assertThat(fixture.condition("pause", "Suspended"))
        .isEqualTo("True JobSuspended: Job suspended");
    assertThat(fixture.status("pause").has("startTime")).isFalse();
    assertThat(fixture.count("pause", "terminating")).isEqualTo(2);
    fixture.confirmAll();
    assertThat(fixture.pods()).isEmpty();
    assertThat(fixture.count("pause", "failed")).isZero();

    fixture.advance(600);
    fixture.patch("pause", "{'suspend':false}");
    assertThat(fixture.active()).hasSize(2);
    assertThat(fixture.condition("pause", "Suspended")).isEqualTo("False JobResumed: Job resumed");
    assertThat(fixture.cluster.events("pause", "Suspended")).containsExactly("Job suspended");
    assertThat(fixture.cluster.events("pause", "Resumed")).containsExactly("Job resumed");
    fixture.advance(57);
    assertThat(fixture.condition("pause", "FailureTarget")).isEmpty();
    fixture.advance(3);
    assertThat(fixture.condition("pause", "FailureTarget")).startsWith("True DeadlineExceeded");
  }

  @Test
  void aPodThatIsDeletedCountsAsAFailureAndIsReplaced() {
    fixture.job("lost", "");
    fixture.run(pod());
    fixture.cluster.admin().delete(PODS, ObjectName.of(pod()));
    fixture.advance(11);
    assertThat(fixture.count("lost", "failed")).isEqualTo(1);
    assertThat(fixture.active()).hasSize(1);
    assertThat(fixture.pods()).hasSize(2);
  }

  @Test
  void aJobThatReplacesOnlyFailedPodsWaitsForThemToEnd() {
    fixture.job("careful", "'podReplacementPolicy':'Failed'");
    fixture.run(pod());
    JsonObject going = pod();
    fixture.cluster.admin().delete(PODS, ObjectName.of(going));
    fixture.advance(60);
    assertThat(fixture.active()).isEmpty();
    assertThat(fixture.count("careful", "failed")).isZero();
    assertThat(fixture.count("careful", "terminating")).isEqualTo(1);

    fixture.fail(going);
    fixture.confirm(going);
    fixture.advance(11);
    assertThat(fixture.count("careful", "failed")).isEqualTo(1);
    assertThat(fixture.active()).hasSize(1);
    assertThat(fixture.pods()).hasSize(1);
  }

  @Test
  void aJobOfAnotherControllerIsLeftAlone() {
    fixture.job("theirs", "'managedBy':'example.com/queue'");
    fixture.advance(60);
    assertThat(fixture.pods()).isEmpty();
    assertThat(fixture.status("theirs").isEmpty()).isTrue();
  }

  @Test
  void podsOfADeletedJobLoseTheirFinalizers() {
    fixture.job("gone", "'parallelism':2");
    fixture.active().forEach(fixture::run);
    DeleteOptions options = DeleteOptions.NONE.propagation(DeleteOptions.Propagation.BACKGROUND);
    fixture.cluster.admin().delete(JOBS, JobFixture.name("gone"), options);
    fixture.settle();
    // Until they are deleted, their job may only not have been heard of; that is the collector's.
    fixture.pods().forEach(pod -> fixture.cluster.admin().delete(PODS, ObjectName.of(pod)));
    fixture.settle();
    assertThat(fixture.isTracked()).isFalse();
    fixture.confirmAll();
    assertThat(fixture.pods()).isEmpty();
  }

  @Test
  void podsThatLoseTheirOwnerLoseTheirFinalizersWhileTheControllerIsDown() {
    fixture.job("orphaned", "");
    fixture.cluster.crash(JobFixture.CONTROLLER);
    JsonObject pod = pod();
    fixture.cluster.admin().delete(JOBS, JobFixture.name("orphaned"));
    fixture.cluster.patch(PODS, ObjectName.of(pod), "{'metadata':{'ownerReferences':null}}");
    fixture.cluster.restart(JobFixture.CONTROLLER);
    fixture.settle();
    assertThat(fixture.isTracked()).isFalse();
  }

  @Test
  void adoptsPodsThatItSelectsAndLetsGoOthers() {
    fixture.cluster.pod("alone", "1m", "{'restartPolicy':'Never'}");
    fixture.cluster.patch(PODS, JobFixture.name("alone"), "{'metadata':{'labels':{'app':'x'}}}");
    fixture.cluster.create(
        JOBS,
        "{'metadata':{'name':'own','namespace':'default'},'spec':{'manualSelector':true,'selector':{'matchLabels':{'app':'x'}},"
            + "'template':{'metadata':{'labels':{'app':'x'}},'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}}");
    fixture.settle();
    JsonObject adopted = fixture.cluster.getPod("alone");
    assertThat(fixture.pods()).hasSize(1);
    assertThat(Metadata.of(adopted).controller().orElseThrow().name()).isEqualTo("own");
    assertThat(JobPod.hasFinalizer(adopted)).isTrue();

    fixture.cluster.patch(PODS, JobFixture.name("alone"), "{'metadata':{'labels':{'app':'y'}}}");
    fixture.settle();
    JsonObject released = fixture.cluster.getPod("alone");
    assertThat(Metadata.of(released).controller()).isEmpty();
    assertThat(JobPod.hasFinalizer(released)).isFalse();
    assertThat(fixture.pods()).hasSize(2);
  }

  @Test
  void fewerAtOnceMeansThatSomeAreDeletedAndNotCounted() {
    fixture.job("less", "'parallelism':4,'completions':10");
    fixture.run(pod());
    fixture.patch("less", "{'parallelism':1}");
    assertThat(fixture.active())
        .singleElement()
        .matches(pod -> pod.object("status").text("phase", "").equals("Running"));
    assertThat(fixture.count("less", "failed")).isZero();
  }

  @Test
  void thousandsOfPodsAreCountedByFewWrites() {
    fixture.job("big", "'parallelism':2000,'completions':2000");
    fixture.advance(10);
    assertThat(fixture.active()).hasSize(2000);
    fixture.active().forEach(fixture::succeed);
    fixture.advance(10);
    assertThat(fixture.count("big", "succeeded")).isEqualTo(2000);
    assertThat(fixture.condition("big", "Complete")).startsWith("True");
    assertThat(fixture.isTracked()).isFalse();
    assertThat(fixture.cluster.list(EVENTS)).hasSizeLessThanOrEqualTo(11);
  }

  @Test
  void aRefusalIsToldAndTriedAgain() {
    fixture.cluster.run(
        "quotas",
        () ->
            ResourceQuotaController.start(fixture.cluster.parts(ResourceQuotaController.ACCOUNT)));
    fixture.cluster.create(
        QUOTAS, "{'metadata':{'name':'q','namespace':'default'},'spec':{'hard':{'pods':'1'}}}");
    fixture.settle();
    fixture.job("refused", "'parallelism':3,'completions':3");
    assertThat(fixture.active()).hasSize(1);
    assertThat(fixture.cluster.events("refused", "FailedCreate"))
        .isNotEmpty()
        .allMatch(note -> note.startsWith("Error creating: pods \"refused-"));
    fixture.cluster.patch(QUOTAS, JobFixture.name("q"), "{'spec':{'hard':{'pods':'9'}}}");
    fixture.advance(60);
    assertThat(fixture.active()).hasSize(3);
  }

  @Test
  void aPodWithoutAJobsFinalizerIsNotCountedTwice() {
    fixture.job("twice", "'completions':2");
    fixture.succeed(pod());
    fixture.settle();
    JsonObject counted = fixture.pods().getFirst();
    Target status = Target.of(PODS, ObjectName.of(counted)).subresource("status");
    fixture
        .cluster
        .admin()
        .patch(status, PatchType.MERGE, VirtualCluster.tree("{'status':{'message':'still here'}}"));
    fixture.cluster.restart(JobFixture.CONTROLLER);
    fixture.advance(60);
    assertThat(fixture.count("twice", "succeeded")).isEqualTo(1);
    assertThat(List.copyOf(fixture.active())).hasSize(1);
  }
}
