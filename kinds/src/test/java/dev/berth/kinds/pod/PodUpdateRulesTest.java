package dev.berth.kinds.pod;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What may change of a pod, and how upstream says what may not. */
class PodUpdateRulesTest {
  private static final ResourceRules RULES = new PodRules(TolerationRules.STANDARD);

  private static JsonObject pod(String spec, String status) {
    return RULES
        .defaults(tree("{'spec':{'containers':[{'name':'c','image':'i'}]%s}}".formatted(spec)))
        .with("status", tree(status));
  }

  private static String update(String spec, String old) {
    return FieldError.join(RULES.validateUpdate(pod(spec, "{}"), pod(old, "{}")))
        .replace('"', '\'');
  }

  @Test
  void whatElseChangedIsShownLineByLine() {
    assertThat(update(",'hostname':'b'", ",'hostname':'a'"))
        .isEqualTo(
            """
            spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)
            @@ -64,7 +64,7 @@
               'SELinuxChangePolicy': null
              },
              'ImagePullSecrets': null,
            - 'Hostname': 'a',
            + 'Hostname': 'b',
              'Subdomain': '',
              'SetHostnameAsFQDN': null,
              'Affinity': null,
            """);
  }

  @ParameterizedTest(name = "{2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ,'hostNetwork':false,'hostname':'' | | []
          ,'activeDeadlineSeconds':5 |,'activeDeadlineSeconds':3 |spec.activeDeadlineSeconds: Invalid value: 5: must be less than or equal to previous value
          ,'schedulingGates':[{'name':'a'},{'name':'b'}] |,'schedulingGates':[{'name':'a'}] |spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'b'
          ,'nodeSelector':{'a':'b'} |,'schedulingGates':[{'name':'a'}] |[]
          ,'nodeSelector':{'a':'c'} |,'schedulingGates':[{'name':'a'}],'nodeSelector':{'a':'b'} |spec.nodeSelector: Invalid value: {'a':'c'}: only additions to spec.nodeSelector are allowed (no mutations or deletions)
          ,'initContainers':[{'name':'i','image':'i'}] | |spec.initContainers: Forbidden: pod updates may not add or remove containers
          ,'terminationGracePeriodSeconds':1 |,'terminationGracePeriodSeconds':-1 |[]
          """)
  void littleMayChange(String spec, String old, String problem) {
    assertThat(update(spec, old == null ? "" : old)).isEqualTo(problem.strip());
  }

  private static String status(String status, String old, String spec) {
    JsonObject before = pod(spec, old);
    JsonObject written =
        RULES.throughSubresource("status", before.with("status", tree(status)), before);
    return FieldError.join(RULES.validateSubresource("status", written, before)).replace('"', '\'');
  }

  @ParameterizedTest(name = "{3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}|{'qosClass':'Burstable'}||[]
          {'qosClass':'BestEffort'}|{'qosClass':'Burstable'}||status.qosClass: Invalid value: 'BestEffort': field is immutable
          {'conditions':[{'type':'a b'}]}|{}||status.conditions[0].Type: Invalid value: 'a b': name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
          {'podIP':'x'}|{}||status.podIPs[0]: Invalid value: 'x': must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)
          {'podIP':'1.1.1.1','podIPs':[{'ip':'1.1.1.1'},{'ip':'1.1.1.2'}]}|{}||status.podIPs: Invalid value: [{'IP':'1.1.1.1'},{'IP':'1.1.1.2'}]: may specify no more than one IP for each IP family
          {'hostIP':'1.1.1.1','hostIPs':[{'ip':'1.1.1.2'}]}|{}||status.hostIPs[0].ip: Invalid value: '1.1.1.2': must be equal to `hostIP`
          {'containerStatuses':[{'name':'c','state':{'running':{}}}]}|{'containerStatuses':[{'name':'c','state':{'terminated':{'exitCode':1}}}]}|,'restartPolicy':'Never'|status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state
          {'containerStatuses':[{'name':'c','state':{'running':{}}}]}|{'containerStatuses':[{'name':'c','state':{'terminated':{'exitCode':1}}}]}|,'restartPolicy':'OnFailure'|[]
          """)
  void aStatusIsRefused(String status, String old, String spec, String problem) {
    assertThat(status(status, old, spec == null ? "" : spec)).isEqualTo(problem);
  }

  @Test
  void gatedPodsSayWhyTheyWait() {
    JsonObject created =
        RULES.prepareForCreate(
            pod(",'schedulingGates':[{'name':'a'}]", "{}"), Instant.parse("2026-01-01T00:00:00Z"));
    assertThat(created.object("status").array("conditions").objects())
        .singleElement()
        .satisfies(condition -> assertThat(condition.text("reason")).isEqualTo("SchedulingGated"));
  }
}
