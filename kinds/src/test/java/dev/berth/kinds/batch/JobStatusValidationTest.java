package dev.berth.kinds.batch;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.FieldError;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the status of a job may change, in Kubernetes' words. */
class JobStatusValidationTest {
  private static final String INDEXED =
      "'completions':5,'completionMode':'Indexed','backoffLimitPerIndex':1";

  @ParameterizedTest(name = "{0}: {1} to {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          indexed | ``            | 'completedIndexes':'1,3-4','failedIndexes':'0,2' | ``
          indexed | ``            | 'completedIndexes':'1,3-4','failedIndexes':'4' | status.failedIndexes: Invalid value: '4': failedIndexes and completedIndexes overlap at index: 4
          indexed | ``            | 'completedIndexes':'3-1' | status.completedIndexes: Invalid value: '3-1': error parsing completedIndexes: non-increasing order, previous: 3, current: 1
          indexed | ``            | 'completedIndexes':'1-2-3' | status.completedIndexes: Invalid value: '1-2-3': error parsing completedIndexes: the fragment '1-2-3' violates the requirement that an index interval can have at most two parts separated by '-'
          plain   | ``            | 'completedIndexes':'1' | status.completedIndexes: Invalid value: '1': cannot set non-empty completedIndexes when non-indexed completion mode
          plain   | ``            | 'failedIndexes':'' | status.failedIndexes: Invalid value: '': cannot set non-null failedIndexes when backoffLimitPerIndex is null
          plain   | ``            | 'startTime':'2026-01-01T00:00:00Z','conditions':[{'type':'Failed','status':'True'}] | status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition
          plain   | ``            | 'startTime':'2026-01-01T00:00:00Z','completionTime':'2026-01-01T00:00:00Z','conditions':[{'type':'Complete','status':'True'}] | status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition
          plain   | ``            | 'startTime':'2026-01-01T00:00:00Z','completionTime':'2026-01-01T00:00:00Z','conditions':[{'type':'SuccessCriteriaMet','status':'True'},{'type':'Complete','status':'True'}] | ``
          plain   | 'failed':2    | 'failed':1 | status.failed: Invalid value: 1: cannot decrease the failed counter
          plain   | 'startTime':'2026-01-01T00:00:00Z' | 'startTime':'2026-01-01T00:00:01Z' | status.startTime: Invalid value: '2026-01-01T00:00:01Z': field is immutable for unsuspended job once set
          plain   | 'startTime':'2026-01-01T00:00:00Z','conditions':[{'type':'Suspended','status':'True'}] | 'startTime':'2026-01-01T00:00:01Z','conditions':[{'type':'Suspended','status':'False'}] | ``
          plain   | 'conditions':[{'type':'FailureTarget','status':'True'}] | `` | status.conditions: Invalid value: cannot disable the terminal FailureTarget=True condition
          plain   | ``            | 'active':1,'ready':2 | status.ready: Invalid value: 2: cannot set more ready pods than active
          """)
  void saysWhatIsWrong(String kind, String before, String after, String problem) {
    String spec = kind.equals("indexed") ? INDEXED : "'completions':5";
    List<FieldError> errors =
        JobStatusValidation.validate(
            tree("{'spec':{%s},'status':{%s}}".formatted(spec, after)),
            tree("{'spec':{%s},'status':{%s}}".formatted(spec, before)));
    assertThat(errors.isEmpty() ? "" : FieldError.join(errors).replace('"', '\''))
        .isEqualTo(problem);
  }
}
