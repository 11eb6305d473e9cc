package dev.berth.kinds.batch;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a cron job, in Kubernetes' words. */
class CronJobRulesTest {
  private final CronJobRules rules = new CronJobRules(TolerationRules.STANDARD);

  private JsonObject cronJob(String name, String spec) {
    return rules.defaults(
        tree(
            "{'metadata':{'name':'%s'},'spec':{%s,'jobTemplate':{'spec':{'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}}}}"
                .formatted(name, spec)));
  }

  private static String text(List<FieldError> errors) {
    return errors.isEmpty() ? "" : FieldError.join(errors).replace('"', '\'');
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          'schedule':'*/5 * * * *'|``
          'schedule':'@daily','timeZone':'Europe/Paris'|``
          'schedule':''|spec.schedule: Required value
          'schedule':'61 * * * *'|spec.schedule: Invalid value: '61 * * * *': end of range (61) above maximum (59): 61
          'schedule':'TZ=UTC * * * * *'|spec.schedule: Invalid value: 'TZ=UTC * * * * *': cannot use TZ or CRON_TZ in schedule, use timeZone field instead
          'schedule':'@daily','timeZone':''|spec.timeZone: Invalid value: '': timeZone must be nil or non-empty string
          'schedule':'@daily','timeZone':'Local'|spec.timeZone: Invalid value: 'Local': timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones
          'schedule':'@daily','timeZone':'Europe/Pariss'|spec.timeZone: Invalid value: 'Europe/Pariss': unknown time zone Europe/Pariss
          'schedule':'@daily','concurrencyPolicy':'No'|spec.concurrencyPolicy: Unsupported value: 'No': supported values: 'Allow', 'Forbid', 'Replace'
          'schedule':'@daily','startingDeadlineSeconds':-1|spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0
          """)
  void saysWhatIsWrong(String spec, String problem) {
    assertThat(text(rules.validate(cronJob("c", spec)))).isEqualTo(problem);
  }

  @Test
  void aNameLeavesRoomForATime() {
    String longest = "c".repeat(52);
    assertThat(rules.validate(cronJob(longest, "'schedule':'@daily'"))).isEmpty();
    JsonObject longer = cronJob(longest + "c", "'schedule':'@daily'");
    assertThat(text(rules.validate(longer))).endsWith("must be no more than 52 characters");
    assertThat(rules.validateReplacing(longer, longer)).isEmpty();
  }

  @Test
  void aScheduleThatNamedAZoneMayGoOnDoingSo() {
    JsonObject old = cronJob("c", "'schedule':'CRON_TZ=UTC @daily'");
    assertThat(rules.validateReplacing(old, old)).isEmpty();
    JsonObject both = cronJob("c", "'schedule':'CRON_TZ=UTC @daily','timeZone':'UTC'");
    assertThat(text(rules.validateReplacing(both, old)))
        .endsWith("cannot use both timeZone field and TZ or CRON_TZ in schedule");
    JsonObject plain = cronJob("c", "'schedule':'@daily'");
    assertThat(rules.validateReplacing(plain, old)).isEmpty();
    assertThat(rules.validateReplacing(old, plain)).isNotEmpty();
  }
}
