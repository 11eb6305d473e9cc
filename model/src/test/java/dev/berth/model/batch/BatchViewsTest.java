package dev.berth.model.batch;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.batch.PodFailurePolicyRule.Action;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchViewsTest {

  private static JobView job(String spec, String status) {
    return new JobView(tree("{'spec':{%s},'status':{%s}}".formatted(spec, status)));
  }

  @Test
  void aJobThatSaysNothingRunsOnePodAtATimeAndMayFailSixTimes() {
    JobView job = new JobView(JsonObject.EMPTY);
    JobSpec spec = job.readSpec();
    assertThat(spec.completions()).isEmpty();
    assertThat(spec.parallelism()).isEqualTo(1);
    assertThat(spec.isIndexed()).isFalse();
    assertThat(spec.backoffLimit()).isEqualTo(6);
    assertThat(spec.replacesOnlyFailed()).isFalse();
    assertThat(spec.isValid(-1)).isTrue();
    assertThat(job.completionMode()).isEqualTo("NonIndexed");
    assertThat(job.isManagedByAnother()).isFalse();
    assertThat(job.isFinished()).isFalse();
    assertThat(job.isEnding()).isFalse();
    assertThat(job.startTime()).isEmpty();
    assertThat(job.ttlAfterFinished()).isEmpty();
    assertThat(job.uncountedFailed()).isEmpty();
    assertThat(job.failedIndexes()).isEmpty();
  }

  @Test
  void indexesThatAreJudgedByThemselvesLiftTheLimitOfAll() {
    JobSpec spec =
        job("'completionMode':'Indexed','completions':3,'backoffLimitPerIndex':1", "").readSpec();
    assertThat(spec.backoffLimit()).isEqualTo(Long.MAX_VALUE);
    assertThat(spec.isValid(2)).isTrue();
    assertThat(spec.isValid(3)).isFalse();
  }

  @Test
  void aFailurePolicyWaitsForPodsToEnd() {
    assertThat(job("'podFailurePolicy':{}", "").readSpec().replacesOnlyFailed()).isTrue();
    assertThat(job("'podReplacementPolicy':'Failed'", "").readSpec().replacesOnlyFailed()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"Complete,True", "Failed,True", "Complete,False"})
  void aJobHasFinishedWhenAConditionSaysSo(String type, String status) {
    JobView job =
        job(
            "",
            "'conditions':[{'type':'%s','status':'%s','lastTransitionTime':'2030-01-01T00:00:00Z'}]"
                .formatted(type, status));
    boolean isFinished = status.equals("True");
    assertThat(job.isFinished()).isEqualTo(isFinished);
    assertThat(job.finishedAt())
        .isEqualTo(
            isFinished ? Optional.of(Instant.parse("2030-01-01T00:00:00Z")) : Optional.empty());
  }

  @Test
  void aTimeThatIsNoneIsAbsent() {
    assertThat(job("", "'startTime':'soon'").startTime()).isEmpty();
    assertThat(CronJobStatus.read(tree("{'lastScheduleTime':'soon'}")).lastSchedule()).isEmpty();
  }

  @Test
  void rulesAreReadAndUnknownWordsMatchNothing() {
    List<PodFailurePolicyRule> rules =
        job(
                "'podFailurePolicy':{'rules':["
                    + "{'action':'FailJob','onExitCodes':{'containerName':'c','operator':'In','values':[1,42]}},"
                    + "{'action':'Count','onExitCodes':{'operator':'NotIn','values':[1]}},"
                    + "{'action':'Ponder','onExitCodes':{'operator':'Like','values':[1]}},"
                    + "{'action':'Ignore','onPodConditions':[{'type':'DisruptionTarget'}]}]}",
                "")
            .readSpec()
            .failureRules();
    assertThat(rules)
        .extracting(PodFailurePolicyRule::action)
        .containsExactly(Action.FAIL_JOB, Action.COUNT, Action.UNKNOWN, Action.IGNORE);
    assertThat(rules.getFirst().onExitCodes())
        .satisfies(codes -> {
          assertThat(codes.containerName()).isEqualTo("c");
          assertThat(codes.matches(42)).isTrue();
          assertThat(codes.matches(2)).isFalse();
        });
    assertThat(rules.get(1).onExitCodes()).satisfies(c -> assertThat(c.matches(2)).isTrue());
    assertThat(rules.get(2).onExitCodes()).satisfies(c -> assertThat(c.matches(1)).isFalse());
    assertThat(rules.get(3).onExitCodes()).isNull();
    assertThat(rules.get(3).onPodConditions())
        .containsExactly(
            new PodFailurePolicyRule.ConditionPattern("DisruptionTarget", ConditionStatus.TRUE));
  }

  @Test
  void aCronJobThatSaysNothingAllowsJobsBesideEachOther() {
    CronJobSpec spec = CronJobView.read(JsonObject.EMPTY).spec();
    assertThat(spec.concurrency()).isEqualTo(CronJobSpec.Concurrency.ALLOW);
    assertThat(spec.timeZone()).isEmpty();
    assertThat(spec.startingDeadline()).isEmpty();
    assertThat(spec.successfulLimit()).isEmpty();
    assertThat(
            CronJobView.read(tree("{'spec':{'startingDeadlineSeconds':30}}"))
                .spec()
                .startingDeadline())
        .contains(Duration.ofSeconds(30));
  }

  @Test
  void theStatusOfACronJobIsWrittenAsItIsRead() {
    JsonObject status =
        tree("{'active':[{'name':'a','uid':'u'}],'lastScheduleTime':'2030-01-01T00:00:00Z'}");
    assertThat(CronJobStatus.read(status).toTree()).isEqualTo(status);
    assertThat(CronJobStatus.read(JsonObject.EMPTY).toTree()).isEqualTo(JsonObject.EMPTY);
  }

  @Test
  void jobsGetTheirTemplatesLabelsAndAnnotations() {
    JobTemplate template =
        new JobTemplate(
            tree("{'metadata':{'labels':{'a':'b'},'finalizers':['f']},'spec':{'parallelism':2}}"));
    assertThat(template.jobMetadata()).isEqualTo(tree("{'labels':{'a':'b'}}"));
    assertThat(template.spec()).isEqualTo(tree("{'parallelism':2}"));
  }
}
