package dev.berth.kinds.pod;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.BuiltIns;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.gate.FeatureGate;
import dev.berth.policy.gate.FeatureGates;
import dev.berth.policy.taint.TolerationRules;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a pod, in Kubernetes' words. */
class PodValidationTest {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  private static String problems(JsonObject spec) {
    ResourceRules rules = new PodRules(TolerationRules.STANDARD);
    return FieldError.join(rules.validate(rules.defaults(JsonObject.of("spec", spec))))
        .replace('"', '\'');
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'livenessProbe':{}|livenessProbe: Required value: must specify a handler type",
        "'livenessProbe':{'exec':{'command':['a']},'successThreshold':2}"
            + "|livenessProbe.successThreshold: Invalid value: 2: must be 1",
        "'readinessProbe':{'exec':{'command':['a']},'tcpSocket':{'port':1}}"
            + "|readinessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type",
        "'readinessProbe':{'httpGet':{'port':0}}|readinessProbe.httpGet.port: Invalid value: 0: must"
            + " be between 1 and 65535, inclusive",
        "'startupProbe':{'exec':{}}|startupProbe.exec.command: Required value",
        "'readinessProbe':{'exec':{'command':['a']},'periodSeconds':-1}"
            + "|readinessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0",
        "'lifecycle':{'preStop':{}}|lifecycle.preStop: Required value: must specify a handler type",
        "'env':[{'name':''}]|env[0].name: Required value",
        "'env':[{'name':'A','valueFrom':{}}]|env[0].valueFrom: Invalid value: '': must specify one"
            + " of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`",
        "'env':[{'name':'A','value':'x','valueFrom':{'secretKeyRef':{'name':'s','key':'k'}}}]"
            + "|env[0].valueFrom: Invalid value: '': may not be specified when `value` is not empty",
        "'env':[{'name':'A','valueFrom':{'secretKeyRef':{'name':'s'}}}]"
            + "|env[0].valueFrom.secretKeyRef.key: Required value",
        "'envFrom':[{}]|envFrom: Invalid value: '': must specify one of: `configMapRef` or"
            + " `secretRef`",
        "'ports':[{'containerPort':1,'protocol':'X'}]|ports[0].protocol: Unsupported value: 'X':"
            + " supported values: 'SCTP', 'TCP', 'UDP'",
        "'ports':[{'containerPort':1,'name':'a'},{'containerPort':2,'name':'a'}]|ports[1].name:"
            + " Duplicate value: 'a'",
        "'ports':[{'containerPort':1,'hostPort':5},{'containerPort':2,'hostPort':5}]"
            + "|ports[1].hostPort: Duplicate value: 'TCP//5'",
        "'resources':{'requests':{'example.com/gpu':'1'}}|resources.limits: Required value: Limit"
            + " must be set for non overcommitable resources",
        "'resources':{'limits':{'example.com/gpu':'1500m'}}|resources.limits[example.com/gpu]:"
            + " Invalid value: '1500m': must be an integer, spec.containers[0].resources.requests["
            + "example.com/gpu]: Invalid value: '1500m': must be an integer",
        "'resources':{'limits':{'hugepages-2Mi':'2Mi'}}|resources: Forbidden: HugePages require cpu"
            + " or memory",
        "'securityContext':{'runAsUser':-1}|securityContext.runAsUser: Invalid value: -1: must be"
            + " between 0 and 2147483647, inclusive",
        "'imagePullPolicy':'Sometimes'|imagePullPolicy: Unsupported value: 'Sometimes': supported"
            + " values: 'Always', 'IfNotPresent', 'Never'",
      })
  void aContainerThatMakesNoSenseIsRefused(String fields, String problem) {
    String found = problems(tree("{'containers':[{'name':'c','image':'i',%s}]}".formatted(fields)));
    String expected = "spec.containers[0]." + problem;
    assertThat(found).isEqualTo(problem.contains(", spec.") ? "[" + expected + "]" : expected);
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'volumes':[{'name':'v','emptyDir':{},'hostPath':{'path':'/x'}}]|volumes[0].hostPath:"
            + " Forbidden: may not specify more than 1 volume type",
        "'volumes':[{'name':'v'},{'name':'v'}]|volumes[1].name: Duplicate value: 'v'",
        "'volumes':[{'name':'v','secret':{}}]|volumes[0].secret.secretName: Required value",
        "'volumes':[{'name':'v','configMap':{'name':'c','items':[{'key':'k','path':'../x'}]}}]"
            + "|volumes[0].configMap.items[0].path: Invalid value: '../x': must not contain '..'",
        "'volumes':[{'name':'v','hostPath':{'path':'/x','type':'Y'}}]|volumes[0].hostPath.type:"
            + " Unsupported value: 'Y': supported values: '', 'BlockDevice', 'CharDevice',"
            + " 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'",
        "'volumes':[{'name':'v','persistentVolumeClaim':{}}]"
            + "|volumes[0].persistentVolumeClaim.claimName: Required value",
        "'affinity':{'nodeAffinity':{'"
            + REQUIRED
            + "':{'nodeSelectorTerms':[]}}}|affinity.nodeAffinity."
            + REQUIRED
            + ".nodeSelectorTerms: Required value: must have at least one node selector term",
        "'affinity':{'nodeAffinity':{'"
            + PREFERRED
            + "':[{'weight':0,'preference':{}}]}}|affinity.nodeAffinity."
            + PREFERRED
            + "[0].weight: Invalid value: 0: must be in the range 1-100",
        "'affinity':{'nodeAffinity':{'"
            + REQUIRED
            + "':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'a','operator':'In'}]}]}}}"
            + "|affinity.nodeAffinity."
            + REQUIRED
            + ".nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified"
            + " when `operator` is 'In' or 'NotIn'",
        "'affinity':{'podAntiAffinity':{'"
            + REQUIRED
            + "':[{'topologyKey':'z','namespaces':['A']}]}}|affinity.podAntiAffinity."
            + REQUIRED
            + "[0].namespace: Invalid value: 'A': a lowercase RFC 1123 label must consist of lower case"
            + " alphanumeric characters or '-', and must start and end with an alphanumeric"
            + " character (e.g. 'my-name',  or '123-abc', regex used for validation is"
            + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        "'topologySpreadConstraints':[{'maxSkew':0,'topologyKey':'zone','whenUnsatisfiable':"
            + "'DoNotSchedule'}]|topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be"
            + " greater than zero",
        "'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'zone','whenUnsatisfiable':'X'}]"
            + "|topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: 'X': supported"
            + " values: 'DoNotSchedule', 'ScheduleAnyway'",
        "'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'zone','whenUnsatisfiable':"
            + "'ScheduleAnyway','minDomains':2}]|topologySpreadConstraints[0].minDomains: Invalid"
            + " value: 2: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not"
            + " ScheduleAnyway",
        "'schedulingGates':[{'name':'a'},{'name':'a'}]|schedulingGates[1]: Duplicate value: 'a'",
        "'schedulingGates':[{'name':'a'}],'nodeName':'n'|nodeName: Forbidden: cannot be set until"
            + " all schedulingGates have been cleared",
        "'hostAliases':[{'ip':'x'}]|hostAliases[0].ip: Invalid value: 'x': must be a valid IP"
            + " address, (e.g. 10.9.8.7 or 2001:db8::ffff)",
        "'dnsPolicy':'None'|dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is"
            + " None",
        "'hostPID':true,'shareProcessNamespace':true|securityContext.shareProcessNamespace: Invalid value: true:"
            + " ShareProcessNamespace and HostPID cannot both be enabled",
        "'initContainers':[{'name':'i','image':'i','livenessProbe':{'exec':{'command':['a']}}}]"
            + "|initContainers[0].livenessProbe: Forbidden: may not be set for init containers"
            + " without restartPolicy=Always",
      })
  void aPodThatMakesNoSenseIsRefused(String fields, String problem) {
    assertThat(problems(tree("{'containers':[{'name':'c','image':'i'}],%s}".formatted(fields))))
        .isEqualTo("spec." + problem);
  }

  @Test
  void allThatIsWrongIsSaidAtOnce() {
    assertThat(
            problems(
                tree(
                    "{'restartPolicy':'X','hostname':'A','containers':[{'name':'c','image':'',"
                        + "'livenessProbe':{}}]}")))
        .contains(
            "spec.containers[0].image: Required value",
            "spec.containers[0].livenessProbe: Required value: must specify a handler type",
            "spec.restartPolicy: Unsupported value: 'X'",
            "spec.hostname: Invalid value: 'A'");
  }

  @Test
  void aSidecarMayBeProbedAndAddressesOfBothKindsAreFine() {
    assertThat(
            problems(
                tree(
                    "{'initContainers':[{'name':'s','image':'i','restartPolicy':'Always',"
                        + "'readinessProbe':{'httpGet':{'port':'web'}}}],"
                        + "'hostAliases':[{'ip':'10.0.0.1'},{'ip':'2001:db8::1'},{'ip':'::1'}],"
                        + "'containers':[{'name':'c','image':'i'}]}")))
        .isEqualTo("[]");
  }

  private static final String COMPARING =
      "{'spec':{'containers':[{'name':'c','image':'i'}],'tolerations':"
          + "[{'key':'sla','operator':'Gt','value':'950','effect':'NoSchedule'}]}}";
  private static final String PLAIN =
      "{'spec':{'containers':[{'name':'c','image':'i'}],'tolerations':"
          + "[{'key':'sla','operator':'Exists','effect':'NoSchedule'}]}}";

  private static JsonObject pod(String text, ResourceRules rules) {
    return rules.defaults(tree(text));
  }

  @Test
  void comparisonsInTolerationsNeedTheirGate() {
    ResourceRules off = new PodRules(TolerationRules.STANDARD);
    ResourceRules on = new PodRules(TolerationRules.WITH_COMPARISONS);

    assertThat(off.validate(pod(COMPARING, off)))
        .extracting(FieldError::field)
        .containsExactly("spec.tolerations[0].operator");
    assertThat(on.validate(pod(COMPARING, on))).isEmpty();
  }

  @Test
  void whatComparedBeforeTheGateWasTurnedOffCanStillBeChanged() {
    ResourceRules off = new PodRules(TolerationRules.STANDARD);
    JsonObject comparing = pod(COMPARING, off);
    JsonObject plain = pod(PLAIN, off);

    assertThat(off.validateReplacing(comparing, comparing)).isEmpty();
    assertThat(off.validateReplacing(comparing, plain))
        .extracting(FieldError::field)
        .containsExactly("spec.tolerations[0].operator");
  }

  @ParameterizedTest
  @CsvSource({"deployments", "daemonsets", "statefulsets", "replicasets", "jobs", "cronjobs"})
  void soCanTemplates(String resource) {
    ResourceRules off = rules(resource, FeatureGates.DEFAULT);
    JsonObject comparing = template(resource, COMPARING);
    JsonObject plain = template(resource, PLAIN);
    FeatureGates on = new FeatureGates(Set.of(FeatureGate.TAINT_TOLERATION_COMPARISON_OPERATORS));

    assertThat(off.validate(comparing))
        .extracting(FieldError::field)
        .singleElement()
        .asString()
        .endsWith("spec.tolerations[0].operator");
    assertThat(off.validateReplacing(comparing, comparing)).isEmpty();
    assertThat(off.validateReplacing(comparing, plain)).hasSize(1);
    assertThat(rules(resource, on).validate(comparing)).isEmpty();
  }

  private static ResourceRules rules(String plural, FeatureGates gates) {
    String group = plural.endsWith("jobs") ? "batch" : "apps";
    return BuiltIns.catalog(gates).get(group, "v1", plural).rules();
  }

  private static JsonObject template(String resource, String pod) {
    boolean ends = resource.equals("jobs") || resource.equals("cronjobs");
    JsonObject spec = tree(pod).object("spec").with("restartPolicy", ends ? "Never" : "Always");
    JsonObject template = tree("{'metadata':{'labels':{'app':'a'}}}").with("spec", spec);
    JsonObject selector = tree("{'matchLabels':{'app':'a'}}");
    JsonObject own = new JsonObject.Builder().put("template", template).build();
    if (resource.equals("jobs")) {
      // Only while it is suspended may a job's template change.
      own = own.with("manualSelector", true).with("selector", selector).with("suspend", true);
    } else if (!ends) {
      own = own.with("selector", selector);
    } else {
      own =
          new JsonObject.Builder()
              .put("schedule", "* * * * *")
              .put("jobTemplate", JsonObject.of("spec", own))
              .build();
    }
    return rules(resource, FeatureGates.DEFAULT).defaults(JsonObject.of("spec", own));
  }
}
