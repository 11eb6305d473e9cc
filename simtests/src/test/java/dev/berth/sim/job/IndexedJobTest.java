package dev.berth.sim.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Indexed jobs, and what policies say of failures and successes. */
class IndexedJobTest {
  private static final String INDEXED = "'completionMode':'Indexed',";
  private static final String IGNORES_DISRUPTIONS =
      "'podFailurePolicy':{'rules':[{'action':'FailJob','onExitCodes':{'operator':'In','values':[42]}},"
          + "{'action':'Ignore','onPodConditions':[{'type':'DisruptionTarget','status':'True'}]}]}";

  private final JobFixture fixture = JobFixture.start();

  @AfterEach
  void close() {
    assertThat(fixture.cluster.warnings()).isEmpty();
    fixture.close();
  }

  @Test
  void eachIndexHasAPodThatKnowsIt() {
    fixture.job("parts", INDEXED + "'completions':7,'parallelism':7");
    JsonObject pod = fixture.ofIndex(3);
    assertThat(Metadata.of(pod).name()).startsWith("parts-3-");
    assertThat(Metadata.of(pod).label("batch.kubernetes.io/job-completion-index")).hasValue("3");
    assertThat(pod.object("spec").text("hostname", "")).isEqualTo("parts-3");
    assertThat(pod.object("spec").array("containers").toString())
        .contains(
            "JOB_COMPLETION_INDEX", "metadata.labels['batch.kubernetes.io/job-completion-index']");

    for (long index : new long[] {0, 2, 3, 4, 6}) {
      fixture.succeed(fixture.ofIndex(index));
    }
    fixture.settle();
    assertThat(fixture.status("parts").text("completedIndexes")).isEqualTo("0,2-4,6");
    assertThat(fixture.count("parts", "succeeded")).isEqualTo(5);

    fixture.succeed(fixture.ofIndex(1));
    fixture.succeed(fixture.ofIndex(5));
    fixture.settle();
    assertThat(fixture.status("parts").text("completedIndexes")).isEqualTo("0-6");
    assertThat(fixture.condition("parts", "Complete")).startsWith("True CompletionsReached");
  }

  @Test
  void anIndexThatFailedTooOftenFailsAndTheOthersGoOn() {
    fixture.job("each", INDEXED + "'completions':3,'parallelism':3,'backoffLimitPerIndex':1");
    fixture.fail(fixture.ofIndex(1));
    fixture.advance(11);
    JsonObject second = fixture.ofIndex(1);
    assertThat(Metadata.of(second).annotation("batch.kubernetes.io/job-index-failure-count"))
        .hasValue("1");
    assertThat(fixture.status("each").text("failedIndexes")).isEmpty();

    fixture.fail(second);
    fixture.succeed(fixture.ofIndex(0));
    fixture.settle();
    assertThat(fixture.status("each").text("failedIndexes")).isEqualTo("1");
    assertThat(fixture.condition("each", "FailureTarget")).isEmpty();

    fixture.succeed(fixture.ofIndex(2));
    fixture.settle();
    assertThat(fixture.condition("each", "Failed"))
        .isEqualTo("True FailedIndexes: Job has failed indexes");
    assertThat(fixture.status("each").text("completedIndexes")).isEqualTo("0,2");
    assertThat(fixture.count("each", "failed")).isEqualTo(2);
    assertThat(fixture.isTracked()).isFalse();
  }

  @Test
  void indexesThatWaitDoNotKeepOthersWaiting() {
    fixture.job("next", INDEXED + "'completions':3,'parallelism':1,'backoffLimitPerIndex':5");
    fixture.fail(fixture.ofIndex(0));
    fixture.settle();
    assertThat(fixture.active()).singleElement().matches(pod -> JobFixture.index(pod).equals("1"));
  }

  @Test
  void tooManyFailedIndexesEndTheJob() {
    fixture.job(
        "some",
        INDEXED + "'completions':9,'parallelism':3,'backoffLimitPerIndex':0,'maxFailedIndexes':1");
    fixture.fail(fixture.ofIndex(0));
    fixture.fail(fixture.ofIndex(2));
    fixture.settle();
    assertThat(fixture.condition("some", "FailureTarget"))
        .isEqualTo(
            "True MaxFailedIndexesExceeded: Job has exceeded the specified maximal number of failed indexes");
    fixture.confirmAll();
    assertThat(fixture.status("some").text("failedIndexes")).isEqualTo("0,2");
    assertThat(fixture.condition("some", "Failed")).startsWith("True MaxFailedIndexesExceeded");
  }

  @Test
  void someIndexesMayBeEnough() {
    fixture.job(
        "leader",
        INDEXED
            + "'completions':5,'parallelism':5,'successPolicy':{'rules':[{'succeededIndexes':'0-1','succeededCount':1}]}");
    fixture.active().forEach(fixture::run);
    fixture.succeed(fixture.ofIndex(4));
    fixture.settle();
    assertThat(fixture.condition("leader", "SuccessCriteriaMet")).isEmpty();
    fixture.succeed(fixture.ofIndex(1));
    fixture.settle();
    assertThat(fixture.condition("leader", "SuccessCriteriaMet"))
        .isEqualTo("True SuccessPolicy: Matched rules at index 0");
    assertThat(fixture.condition("leader", "Complete")).isEmpty();
    assertThat(fixture.active()).isEmpty();

    fixture.confirmAll();
    assertThat(fixture.condition("leader", "Complete"))
        .isEqualTo("True SuccessPolicy: Matched rules at index 0");
    assertThat(fixture.count("leader", "failed")).isZero();
    assertThat(fixture.status("leader").text("completedIndexes")).isEqualTo("1,4");
  }

  @Test
  void aDisruptionDoesNotCountAsAFailure() {
    fixture.job("batch", "'backoffLimit':0," + IGNORES_DISRUPTIONS);
    JsonObject evicted = fixture.active().getFirst();
    fixture.run(evicted);
    fixture.status(
        evicted,
        "'phase':'Failed','conditions':[{'type':'DisruptionTarget','status':'True','reason':'DeletionByTaintManager'}]");
    fixture.advance(11);
    assertThat(fixture.count("batch", "failed")).isZero();
    assertThat(fixture.active()).hasSize(1);
    assertThat(fixture.isTracked()).isTrue();
    assertThat(fixture.condition("batch", "FailureTarget")).isEmpty();
  }

  @Test
  void anExitCodeCanEndTheJobAtOnce() {
    fixture.job("fatal", "'parallelism':2,'completions':9," + IGNORES_DISRUPTIONS);
    JsonObject bad = fixture.active().getFirst();
    fixture.active().forEach(fixture::run);
    fixture.fail(bad, 42);
    fixture.settle();
    String why =
        "True PodFailurePolicy: Container c for pod default/%s failed with exit code 42 matching FailJob rule at index 0"
            .formatted(Metadata.of(bad).name());
    assertThat(fixture.condition("fatal", "FailureTarget")).isEqualTo(why);
    assertThat(fixture.condition("fatal", "Failed")).isEmpty();
    fixture.confirmAll();
    assertThat(fixture.condition("fatal", "Failed")).isEqualTo(why);
    assertThat(fixture.cluster.events("fatal", "PodFailurePolicy")).hasSize(1);
  }

  @Test
  void anExitCodeCanFailItsIndexAtOnce() {
    fixture.job(
        "index",
        INDEXED
            + "'completions':2,'parallelism':2,'backoffLimitPerIndex':9,"
            + "'podFailurePolicy':{'rules':[{'action':'FailIndex','onExitCodes':{'operator':'NotIn','values':[1]}}]}");
    fixture.fail(fixture.ofIndex(0), 7);
    fixture.fail(fixture.ofIndex(1), 1);
    fixture.advance(11);
    assertThat(fixture.status("index").text("failedIndexes")).isEqualTo("0");
    assertThat(fixture.active()).singleElement().matches(pod -> JobFixture.index(pod).equals("1"));
  }

  @Test
  void anIndexedJobCanShrinkAndGrow() {
    fixture.job("elastic", INDEXED + "'completions':4,'parallelism':4");
    fixture.succeed(fixture.ofIndex(3));
    fixture.succeed(fixture.ofIndex(0));
    fixture.settle();
    fixture.patch("elastic", "{'completions':2,'parallelism':2}");
    assertThat(fixture.status("elastic").text("completedIndexes")).isEqualTo("0");
    assertThat(fixture.active()).singleElement().matches(pod -> JobFixture.index(pod).equals("1"));

    fixture.patch("elastic", "{'completions':3,'parallelism':3}");
    assertThat(fixture.active().stream().map(JobFixture::index))
        .containsExactlyInAnyOrder("1", "2");
  }
}
