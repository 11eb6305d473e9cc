package dev.berth.policy.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.batch.JobView;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class JobPlanTest {
  private static final Instant NOW = Instant.parse("2030-01-01T01:00:00Z");
  private static final String INDEXED =
      "'completionMode':'Indexed','completions':4,'parallelism':3";

  private static JsonObject tree(String json) {
    return JsonReader.object(json.replace('\'', '"').getBytes(UTF_8), JsonLimits.REQUEST);
  }

  private static JsonObject job(String spec, String status) {
    return tree(
        "{'metadata':{'name':'j','namespace':'default','uid':'j'},'spec':{%s},'status':{%s}}"
            .formatted(spec, status));
  }

  /**
   * A pod in few letters: its index, and then {@code r}unning, {@code p}ending, {@code s}ucceeded,
   * {@code f}ailed an hour ago, {@code F}ailed just now; {@code g}oing, {@code u}ntracked.
   */
  private static JobPod pod(String text, int number) {
    boolean isRecent = text.indexOf('F') > 0;
    String phase =
        text.indexOf('s') > 0
            ? "Succeeded"
            : isRecent || text.indexOf('f') > 0
                ? "Failed"
                : text.indexOf('r') > 0 ? "Running" : "Pending";
    String ended = isRecent ? NOW.toString() : "2030-01-01T00:00:00Z";
    JsonObject pod =
        tree(
            ("{'metadata':{'name':'%1$s','uid':'%1$s%4$d','creationTimestamp':'%2$s','annotations':{'batch.kubernetes.io/job-completion-index':'%5$s'}},"
                    + "'status':{'phase':'%3$s'}}")
                .formatted(text, ended, phase, number, text.charAt(0)));
    return JobPod.read(pod, text.indexOf('g') > 0, text.indexOf('u') < 0);
  }

  private static JobPlan plan(String spec, String status, String pods) {
    List<JobPod> read = new ArrayList<>();
    for (String pod : pods.split(" ", -1)) {
      if (!pod.isEmpty()) {
        read.add(pod(pod, read.size()));
      }
    }
    return JobPlan.decide(
        new JobSnapshot(new JobView(job(spec, status)), read, Optional.empty()), NOW);
  }

  private static String words(JobAction action) {
    return switch (action) {
      case JobAction.Create create ->
          create.pods().getFirst().index() < 0
              ? "create " + create.pods().size()
              : "create " + create.pods().stream().map(NewPod::index).toList();
      case JobAction.Remove remove -> "remove " + names(remove.pods());
      case JobAction.End end -> "end " + names(end.pods());
      case JobAction.Untrack untrack -> "untrack " + names(untrack.pods());
    };
  }

  private static List<String> names(List<JsonObject> pods) {
    return pods.stream().map(pod -> pod.object("metadata").text("name", "")).sorted().toList();
  }

  static Stream<Arguments> jobs() {
    String three = "'completions':5,'parallelism':3";
    String target = "'conditions':[{'type':'FailureTarget','status':'True','reason':'R'}]";
    return Stream.of(
        argumentSet("none yet", three, "", "", "create 3"),
        argumentSet("one is there", three, "", "xr", "create 2"),
        argumentSet("no more than are missing", three, "'succeeded':4", "", "create 1"),
        argumentSet("what has just ended counts", three, "'succeeded':3", "xs", "create 1"),
        argumentSet("what was counted does not", three, "'succeeded':3", "xsu", "create 2"),
        argumentSet("too many", three, "'succeeded':3", "ar bp cr", "remove [bp]"),
        argumentSet("nothing is left to do", three, "'succeeded':5", "ar", "remove [ar]"),
        argumentSet("after a failure", three, "", "xF", ""),
        argumentSet("long after a failure", three, "", "xf", "create 3"),
        argumentSet("one on its way out is replaced later", three, "", "xrg", "create 3"),
        argumentSet(
            "one on its way out is waited for",
            three + ",'podReplacementPolicy':'Failed'",
            "",
            "xrg",
            "create 2"),
        argumentSet("suspended", three + ",'suspend':true", "", "ar bp", "remove [ar, bp]"),
        argumentSet("a queue", "'parallelism':3", "", "ar", "create 2"),
        argumentSet("a queue after a success", "'parallelism':3", "'succeeded':1", "ar", ""),
        argumentSet("it is said that it ends", three, target, "ar bp xs", "end [ar, bp]"),
        argumentSet("indexes in order", INDEXED, "", "1r", "create [0, 2]"),
        argumentSet(
            "indexes that are done", INDEXED, "'completedIndexes':'0,2'", "", "create [1, 3]"),
        argumentSet("an index twice", INDEXED, "", "1r 1p 0r", "remove [1p]"),
        argumentSet("an index that there is not", INDEXED, "", "7r 0r 1r", "remove [7r]"),
        argumentSet(
            "an index that waits",
            INDEXED + ",'backoffLimitPerIndex':3",
            "'failedIndexes':'3'",
            "0F",
            "create [1, 2]"));
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void whatBecomesOfPods(String spec, String status, String pods, String expected) {
    assertThat(plan(spec, status, pods).pods().map(JobPlanTest::words).orElse(""))
        .isEqualTo(expected);
  }

  static Stream<Arguments> counts() {
    String spec = "'completions':9,'parallelism':9";
    return Stream.of(
        argumentSet("written down first", spec, "", "as bf cr", 0, 0, "[as0] [bf1]"),
        argumentSet(
            "still tracked",
            spec,
            "'succeeded':1,'uncountedTerminatedPods':{'succeeded':['as0']}",
            "as",
            1,
            0,
            "[as0] []"),
        argumentSet(
            "tracked no more",
            spec,
            "'succeeded':1,'uncountedTerminatedPods':{'succeeded':['asu0'],'failed':['gone']}",
            "asu",
            2,
            1,
            "[] []"),
        argumentSet("counted long ago", spec, "'succeeded':1", "asu", 1, 0, "[] []"),
        argumentSet("on its way out", spec, "", "arg", 0, 0, "[] [arg0]"),
        argumentSet(
            "on its way out, and waited for",
            spec + ",'podReplacementPolicy':'Failed'",
            "",
            "arg",
            0,
            0,
            "[] []"));
  }

  @ParameterizedTest
  @MethodSource("counts")
  void howPodsAreCounted(
      String spec, String status, String pods, long succeeded, long failed, String uncounted) {
    JsonObject written = plan(spec, status, pods).status().tree();
    assertThat(written.integer("succeeded").orElse(0)).isEqualTo(succeeded);
    assertThat(written.integer("failed").orElse(0)).isEqualTo(failed);
    JsonObject left = written.object("uncountedTerminatedPods");
    assertThat(left.array("succeeded").texts() + " " + left.array("failed").texts())
        .isEqualTo(uncounted);
  }

  static Stream<Arguments> ends() {
    String started = "'startTime':'2030-01-01T00:00:00Z'";
    return Stream.of(
        argumentSet("none", "'completions':2", "", "as", ""),
        argumentSet("completions", "'completions':1", "", "as", "CompletionsReached"),
        argumentSet("not while one is active", "'parallelism':2", "", "as br", ""),
        argumentSet("one success will do", "'parallelism':2", "", "as", "CompletionsReached"),
        argumentSet(
            "failures", "'completions':1,'backoffLimit':0", "", "af", "BackoffLimitExceeded"),
        argumentSet("as many as may be", "'completions':1,'backoffLimit':1", "", "af", ""),
        argumentSet("time", "'activeDeadlineSeconds':3600", started, "ar", "DeadlineExceeded"),
        argumentSet("time is left", "'activeDeadlineSeconds':3601", started, "ar", ""),
        argumentSet(
            "an index failed",
            INDEXED + ",'backoffLimitPerIndex':0",
            "",
            "0f 1s 2s 3s",
            "FailedIndexes"),
        argumentSet(
            "others may succeed", INDEXED + ",'backoffLimitPerIndex':0", "", "0f 1s 2s 3r", ""),
        argumentSet(
            "too many indexes failed",
            INDEXED + ",'backoffLimitPerIndex':0,'maxFailedIndexes':1",
            "",
            "0f 1f 2r",
            "MaxFailedIndexesExceeded"),
        argumentSet(
            "enough indexes",
            INDEXED + ",'successPolicy':{'rules':[{'succeededIndexes':'1-2'}]}",
            "'completedIndexes':'1'",
            "2s 0r",
            "SuccessPolicy"));
  }

  @ParameterizedTest
  @MethodSource("ends")
  void howAJobEnds(String spec, String status, String pods, String reason) {
    JsonObject written = plan(spec, status, pods).status().tree();
    List<String> reasons =
        written.array("conditions").objects().stream().map(c -> c.text("reason", "")).toList();
    assertThat(reasons).isEqualTo(reason.isEmpty() ? List.of() : List.of(reason));
  }

  @ParameterizedTest
  @CsvSource({"1,10", "2,20", "6,320", "7,600", "1000,600"})
  void howLongAJobWaitsAfterFailures(long failures, long seconds) {
    assertThat(FailureBackoff.delay(failures)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void aJobThatHasFinishedGoesAfterItsTime() {
    String complete =
        "'conditions':[{'type':'Complete','status':'True','lastTransitionTime':'2030-01-01T00:00:00Z'}]";
    JsonObject job = job("'ttlSecondsAfterFinished':60", complete);
    Instant end = Instant.parse("2030-01-01T00:01:00Z");
    assertThat(ttlPlan(job, end.minusSeconds(1)))
        .isEqualTo(new TtlPlan(List.of(), job, Optional.of(end)));
    assertThat(ttlPlan(job, end).actions()).containsExactly(new TtlAction.Delete(job));
    for (JsonObject stays : List.of(job("", complete), job("'ttlSecondsAfterFinished':60", ""))) {
      assertThat(ttlPlan(stays, end)).isEqualTo(new TtlPlan(List.of(), stays, Optional.empty()));
    }
  }

  private static TtlPlan ttlPlan(JsonObject job, Instant now) {
    return TtlPlan.decide(TimeToLive.read(job), now);
  }
}
