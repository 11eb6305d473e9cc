package dev.berth.registry;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.fixture.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is filled in of jobs, what is wrong with them, and how their status may not change. */
class JobRulesTest {
  private final TestCluster cluster = new TestCluster();
  private final Resource jobs = cluster.resource("batch", "jobs");

  private static String job(String spec) {
    return "{'metadata':{'name':'x'},'spec':{%s,'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}}"
        .formatted(spec);
  }

  private JsonObject create(String spec) {
    return cluster.registry.create(jobs, "default", tree(job(spec)), WriteOptions.DEFAULT).tree();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'activeDeadlineSeconds':-1|spec.activeDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0",
        "'completionMode':'Indexed','parallelism':1|spec.completions: Required value: when completion mode is Indexed",
        "'backoffLimitPerIndex':1|spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode",
        "'managedBy':'me'|spec.managedBy: Invalid value: 'me': must be a domain-prefixed path (such as 'acme.io/foo')",
        "'podFailurePolicy':{'rules':[{'action':'FailJob'}]}|spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required",
        "'podFailurePolicy':{'rules':[{'action':'Count','onExitCodes':{'operator':'In','values':[2,1]}}]}"
            + "|spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [2,1]: must be ordered",
        "'completionMode':'Indexed','completions':3,'successPolicy':{'rules':[{'succeededIndexes':'0-3'}]}"
            + "|spec.successPolicy.rules[0].succeededIndexes: Invalid value: '0-3': error parsing succeededIndexes: too large index: '3'",
      })
  void whatIsWrong(String spec, String expected) {
    String message = refused(() -> create(spec)).message().replaceFirst("^.* is invalid: ", "");
    assertThat(message.replace('"', '\'').replace("\\", "")).isEqualTo(expected);
  }

  @Test
  void whatIsFilledIn() {
    JsonObject spec =
        create(
                "'completionMode':'Indexed','completions':2,'backoffLimitPerIndex':1,'podFailurePolicy':{'rules':[{'action':'Ignore','onPodConditions':[{'type':'DisruptionTarget'}]}]}")
            .object("spec");
    assertThat(spec.integer("backoffLimit").orElse(0)).isEqualTo(Integer.MAX_VALUE);
    assertThat(spec.text("podReplacementPolicy")).isEqualTo("Failed");
    assertThat(spec.object("podFailurePolicy").toString()).contains("\"status\":\"True\"");
    assertThat(spec.object("selector").object("matchLabels").names())
        .isEqualTo(List.of("batch.kubernetes.io/controller-uid"));
  }

  @Test
  void aJobWithoutLabelsHasThoseOfItsPods() {
    assertThat(labels("'name':'a'"))
        .containsExactlyInAnyOrder(
            "own",
            "job-name",
            "batch.kubernetes.io/job-name",
            "controller-uid",
            "batch.kubernetes.io/controller-uid");
    assertThat(labels("'name':'b','labels':{'own':'a'}")).containsExactly("own");
  }

  private List<String> labels(String metadata) {
    String labelled =
        job("'parallelism':1")
            .replace("'metadata':{'name':'x'}", "'metadata':{" + metadata + "}")
            .replace("'template':{", "'template':{'metadata':{'labels':{'own':'a'}},");
    return cluster
        .registry
        .create(jobs, "default", tree(labelled), WriteOptions.DEFAULT)
        .tree()
        .object("metadata")
        .object("labels")
        .names();
  }
}
