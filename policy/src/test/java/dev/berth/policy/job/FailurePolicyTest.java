package dev.berth.policy.job;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.batch.JobView;
import dev.berth.model.batch.PodFailurePolicyRule;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A pod whose container {@code a} ended with 3, and {@code b} still runs; it was disrupted. */
class FailurePolicyTest {
  private static final JobPod POD =
      JobPod.read(
          tree(
              "{'metadata':{'name':'p','namespace':'n'},'status':{'phase':'Failed',"
                  + "'conditions':[{'type':'DisruptionTarget','status':'True'}],"
                  + "'containerStatuses':[{'name':'a','state':{'terminated':{'exitCode':3}}},{'name':'b','state':{'running':{}}}],"
                  + "'initContainerStatuses':[{'name':'i','state':{'terminated':{'exitCode':9}}}]}}"),
          false,
          true);

  private static List<PodFailurePolicyRule> rules(String rules) {
    return new JobView(tree("{'spec':{'podFailurePolicy':{'rules':[%s]}}}".formatted(rules)))
        .readSpec()
        .failureRules();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|none",
        "{'action':'FailJob','onExitCodes':{'operator':'In','values':[1,3]}}"
            + "|FAIL_JOB: Container a for pod n/p failed with exit code 3 matching FailJob rule at index 0",
        "{'action':'FailJob','onExitCodes':{'operator':'In','values':[0]}}|none",
        "{'action':'FailJob','onExitCodes':{'operator':'NotIn','values':[0]}}"
            + "|FAIL_JOB: Container a for pod n/p failed with exit code 3 matching FailJob rule at index 0",
        "{'action':'FailJob','onExitCodes':{'containerName':'b','operator':'NotIn','values':[1]}}|none",
        "{'action':'FailIndex','onExitCodes':{'operator':'In','values':[9]}}"
            + "|FAIL_INDEX: Container i for pod n/p failed with exit code 9 matching FailIndex rule at index 0",
        "{'action':'Count','onPodConditions':[{'type':'Other'}]},{'action':'Ignore','onPodConditions':[{'type':'DisruptionTarget'}]}"
            + "|IGNORE: Pod n/p has condition DisruptionTarget matching Ignore rule at index 1",
        "{'action':'Ignore','onPodConditions':[{'type':'DisruptionTarget','status':'False'}]}|none",
        "{'action':'Ponder','onPodConditions':[{'type':'DisruptionTarget'}]}|none",
      })
  void whichRuleMatches(String rules, String expected) {
    List<PodFailurePolicyRule> read = rules(rules);
    assertThat(
            FailurePolicy.match(read, POD)
                .map(match -> match.action() + ": " + match.message())
                .orElse("none"))
        .isEqualTo(expected);
    assertThat(FailurePolicy.counts(read, POD)).isEqualTo(!expected.startsWith("IGNORE"));
  }
}
