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

  private final JobScene scene = new JobScene(1);

  @AfterEach
  void close() {
    assertThat(scene.cluster.warnings()).isEmpty();
    scene.close();
  }

  @Test
  void eachIndexHasAPodThatKnowsIt() {
    scene.job("parts", INDEXED + "'completions':7,'parallelism':7");
    JsonObject pod = scene.ofIndex(3);
    assertThat(Metadata.of(pod).name()).startsWith("parts-3-");
    assertThat(Metadata.of(pod).label("batch.kubernetes.io/job-completion-index")).hasValue("3");
    assertThat(pod.object("spec").text("hostname", "")).isEqualTo("parts-3");
    assertThat(pod.object("spec").array("containers").toString())
        .contains(
            "JOB_COMPLETION_INDEX", "metadata.labels['batch.kubernetes.io/job-completion-index']");

    for (long index : new long[] {0, 2, 3, 4, 6}) {
      scene.succeed(scene.ofIndex(index));
    }
    scene.settle();
    assertThat(scene.status("parts").text("completedIndexes")).isEqualTo("0,2-4,6");
    assertThat(scene.count("parts", "succeeded")).isEqualTo(5);

    scene.succeed(scene.ofIndex(1));
    scene.succeed(scene.ofIndex(5));
    scene.settle();
    assertThat(scene.status("parts").text("completedIndexes")).isEqualTo("0-6");
    assertThat(scene.condition("parts", "Complete")).startsWith("True CompletionsReached");
  }

  @Test
  void anIndexThatFailedTooOftenFailsAndTheOthersGoOn() {
    scene.job("each", INDEXED + "'completions':3,'parallelism':3,'backoffLimitPerIndex':1");
    scene.fail(scene.ofIndex(1));
    scene.advance(11);
    JsonObject second = scene.ofIndex(1);
    assertThat(Metadata.of(second).annotation("batch.kubernetes.io/job-index-failure-count"))
        .hasValue("1");
    assertThat(scene.status("each").text("failedIndexes")).isEmpty();

    scene.fail(second);
    scene.succeed(scene.ofIndex(0));
    scene.settle();
    assertThat(scene.status("each").text("failedIndexes")).isEqualTo("1");
    assertThat(scene.condition("each", "FailureTarget")).isEmpty();

    scene.succeed(scene.ofIndex(2));
    scene.settle();
    assertThat(scene.condition("each", "Failed"))
        .isEqualTo("True FailedIndexes: Job has failed indexes");
    assertThat(scene.status("each").text("completedIndexes")).isEqualTo("0,2");
    assertThat(scene.count("each", "failed")).isEqualTo(2);
    assertThat(scene.isTracked()).isFalse();
  }

  @Test
  void indexesThatWaitDoNotKeepOthersWaiting() {
    scene.job("next", INDEXED + "'completions':3,'parallelism':1,'backoffLimitPerIndex':5");
    scene.fail(scene.ofIndex(0));
    scene.settle();
    assertThat(scene.active()).singleElement().matches(pod -> JobScene.index(pod).equals("1"));
  }

  @Test
  void tooManyFailedIndexesEndTheJob() {
    scene.job(
        "some",
        INDEXED + "'completions':9,'parallelism':3,'backoffLimitPerIndex':0,'maxFailedIndexes':1");
    scene.fail(scene.ofIndex(0));
    scene.fail(scene.ofIndex(2));
    scene.settle();
    assertThat(scene.condition("some", "FailureTarget"))
        .isEqualTo(
            "True MaxFailedIndexesExceeded: Job has exceeded the specified maximal number of failed indexes");
    scene.confirmAll();
    assertThat(scene.status("some").text("failedIndexes")).isEqualTo("0,2");
    assertThat(scene.condition("some", "Failed")).startsWith("True MaxFailedIndexesExceeded");
  }

  @Test
  void someIndexesMayBeEnough() {
    scene.job(
        "leader",
        INDEXED
            + "'completions':5,'parallelism':5,'successPolicy':{'rules':[{'succeededIndexes':'0-1','succeededCount':1}]}");
    scene.active().forEach(scene::run);
    scene.succeed(scene.ofIndex(4));
    scene.settle();
    assertThat(scene.condition("leader", "SuccessCriteriaMet")).isEmpty();
    scene.succeed(scene.ofIndex(1));
    scene.settle();
    assertThat(scene.condition("leader", "SuccessCriteriaMet"))
        .isEqualTo("True SuccessPolicy: Matched rules at index 0");
    assertThat(scene.condition("leader", "Complete")).isEmpty();
    assertThat(scene.active()).isEmpty();

    scene.confirmAll();
    assertThat(scene.condition("leader", "Complete"))
        .isEqualTo("True SuccessPolicy: Matched rules at index 0");
    assertThat(scene.count("leader", "failed")).isZero();
    assertThat(scene.status("leader").text("completedIndexes")).isEqualTo("1,4");
  }

  @Test
  void aDisruptionDoesNotCountAsAFailure() {
    scene.job("batch", "'backoffLimit':0," + IGNORES_DISRUPTIONS);
    JsonObject evicted = scene.active().getFirst();
    scene.run(evicted);
    scene.status(
        evicted,
        "'phase':'Failed','conditions':[{'type':'DisruptionTarget','status':'True','reason':'DeletionByTaintManager'}]");
    scene.advance(11);
    assertThat(scene.count("batch", "failed")).isZero();
    assertThat(scene.active()).hasSize(1);
    assertThat(scene.isTracked()).isTrue();
    assertThat(scene.condition("batch", "FailureTarget")).isEmpty();
  }

  @Test
  void anExitCodeCanEndTheJobAtOnce() {
    scene.job("fatal", "'parallelism':2,'completions':9," + IGNORES_DISRUPTIONS);
    JsonObject bad = scene.active().getFirst();
    scene.active().forEach(scene::run);
    scene.fail(bad, 42);
    scene.settle();
    String why =
        "True PodFailurePolicy: Container c for pod default/%s failed with exit code 42 matching FailJob rule at index 0"
            .formatted(Metadata.of(bad).name());
    assertThat(scene.condition("fatal", "FailureTarget")).isEqualTo(why);
    assertThat(scene.condition("fatal", "Failed")).isEmpty();
    scene.confirmAll();
    assertThat(scene.condition("fatal", "Failed")).isEqualTo(why);
    assertThat(scene.cluster.events("fatal", "PodFailurePolicy")).hasSize(1);
  }

  @Test
  void anExitCodeCanFailItsIndexAtOnce() {
    scene.job(
        "index",
        INDEXED
            + "'completions':2,'parallelism':2,'backoffLimitPerIndex':9,"
            + "'podFailurePolicy':{'rules':[{'action':'FailIndex','onExitCodes':{'operator':'NotIn','values':[1]}}]}");
    scene.fail(scene.ofIndex(0), 7);
    scene.fail(scene.ofIndex(1), 1);
    scene.advance(11);
    assertThat(scene.status("index").text("failedIndexes")).isEqualTo("0");
    assertThat(scene.active()).singleElement().matches(pod -> JobScene.index(pod).equals("1"));
  }

  @Test
  void anIndexedJobCanShrinkAndGrow() {
    scene.job("elastic", INDEXED + "'completions':4,'parallelism':4");
    scene.succeed(scene.ofIndex(3));
    scene.succeed(scene.ofIndex(0));
    scene.settle();
    scene.patch("elastic", "{'completions':2,'parallelism':2}");
    assertThat(scene.status("elastic").text("completedIndexes")).isEqualTo("0");
    assertThat(scene.active()).singleElement().matches(pod -> JobScene.index(pod).equals("1"));

    scene.patch("elastic", "{'completions':3,'parallelism':3}");
    assertThat(scene.active().stream().map(JobScene::index)).containsExactlyInAnyOrder("1", "2");
  }
}
