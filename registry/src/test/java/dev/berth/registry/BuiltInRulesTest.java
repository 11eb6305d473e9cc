package dev.berth.registry;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.at;
import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.schema.Schemas;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.fixture.TestCluster;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the rules of the built-in resources fill in and refuse. */
class BuiltInRulesTest {
  private static final String CONTAINER = "'containers':[{'name':'c','image':'i'}]";

  private final TestCluster cluster = new TestCluster();

  private String problem(String group, String plural, String object) {
    Resource resource = cluster.registry.catalog().get(group, "v1", plural);
    String message =
        refused(() ->
                cluster.registry.create(
                    resource,
                    resource.isNamespaced() ? "default" : "",
                    tree(object),
                    WriteOptions.DEFAULT))
            .message();
    return message.replaceFirst(".* is invalid: ", "").replace('"', '\'');
  }

  @Test
  void everyResourceHasASchema() {
    for (var version : cluster.registry.catalog().versions()) {
      for (Resource resource : cluster.registry.catalog().resources(version)) {
        assertThat(Schemas.builtIn().kind(resource.kind())).as(resource.toString()).isPresent();
      }
    }
  }

  @Test
  void aPodIsFilledIn() {
    JsonObject pod = cluster.pod("web", "").tree();
    assertThat(at(pod, "spec.restartPolicy")).isEqualTo("Always");
    assertThat(at(pod, "spec.terminationGracePeriodSeconds")).isEqualTo("30");
    assertThat(at(pod, "spec.schedulerName")).isEqualTo("default-scheduler");
    assertThat(at(pod, "spec.containers[0].imagePullPolicy")).isEqualTo("Always");
    assertThat(at(pod, "status.phase")).isEqualTo("Pending");
    assertThat(at(pod, "status.qosClass")).isEqualTo("BestEffort");
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|spec.containers: Required value",
        "{'containers':[{'image':'i'}]}|spec.containers[0].name: Required value",
        "{'containers':[{'name':'c'}]}|spec.containers[0].image: Required value",
        "{'containers':[{'name':'c','image':'i'},{'name':'c','image':'i'}]}"
            + "|spec.containers[1].name: Duplicate value: 'c'",
        "{'restartPolicy':'Now',"
            + CONTAINER
            + "}|spec.restartPolicy: Unsupported value: 'Now': supported values: 'Always',"
            + " 'OnFailure', 'Never'",
        "{'containers':[{'name':'c','image':'i','ports':[{'containerPort':70000}]}]}"
            + "|spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1"
            + " and 65535, inclusive",
        "{'containers':[{'name':'c','image':'i','resources':"
            + "{'requests':{'cpu':'2'},'limits':{'cpu':'1'}}}]}"
            + "|spec.containers[0].resources.requests: Invalid value: '2': must be less than or"
            + " equal to cpu limit of 1",
        "{'containers':[{'name':'c','image':'i','resources':{'requests':{'memory':'-1'}}}]}"
            + "|spec.containers[0].resources.requests[memory]: Invalid value: '-1': must be greater"
            + " than or equal to 0",
        "{'containers':[{'name':'c','image':'i','volumeMounts':[{'name':'v','mountPath':'/v'}]}]}"
            + "|spec.containers[0].volumeMounts[0].name: Not found: 'v'",
        "{'tolerations':[{'operator':'Exists','value':'x'}],"
            + CONTAINER
            + "}|spec.tolerations[0].operator: Invalid value: 'x': value must be empty when"
            + " `operator` is 'Exists'",
      })
  void aPodThatMakesNoSenseIsRefused(String spec, String problem) {
    assertThat(problem("", "pods", "{'metadata':{'name':'p'},'spec':" + spec + "}"))
        .isEqualTo(problem);
  }

  @Test
  void aPodGetsTolerationsButLosesNone() {
    cluster.create(
        "pods",
        "{'metadata':{'name':'p'},'spec':{'tolerations':[{'key':'a','operator':'Exists'}],%s}}"
            .formatted(CONTAINER));
    setTolerations(
        "[{'key':'a','operator':'Exists'},{'key':'b','operator':'Exists'}]".replace('\'', '"'));
    assertThat(refused(() -> setTolerations("[{\"key\":\"b\",\"operator\":\"Exists\"}]")).message())
        .endsWith(
            "spec.tolerations: Forbidden: existing toleration can not be modified except its"
                + " tolerationSeconds");
  }

  private void setTolerations(String tolerations) {
    JsonObject holder = tree("{\"t\":" + tolerations + "}");
    cluster.registry.modify(
        cluster.core("pods"),
        named("p"),
        WriteOptions.DEFAULT,
        pod -> pod.with("spec", pod.object("spec").with("tolerations", holder.array("t"))));
  }

  @Test
  void aTaintKeepsTheTimeItWasAdded() {
    cluster.create(
        "nodes", "{'metadata':{'name':'n'},'spec':{'taints':[{'key':'a','effect':'NoExecute'}]}}");
    cluster.time.advance(Duration.ofMinutes(1));
    JsonObject changed =
        cluster
            .registry
            .update(
                cluster.core("nodes"),
                ObjectName.of("n"),
                tree(
                    "{'metadata':{'name':'n'},'spec':{'taints':[{'key':'a','effect':'NoExecute'},"
                        + "{'key':'b','effect':'NoExecute'}]}}"),
                WriteOptions.DEFAULT)
            .tree();
    assertThat(at(changed, "spec.taints[0].timeAdded")).isEqualTo("2030-01-01T00:00:00Z");
    assertThat(at(changed, "spec.taints[1].timeAdded")).isEqualTo("2030-01-01T00:01:00Z");
  }

  @ParameterizedTest(name = "{1}: {3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "|nodes|{'spec':{'taints':[{'key':'a','effect':'X'}]}}|metadata.taints[0].effect: Unsupported"
            + " value: 'X': supported values: 'NoSchedule', 'PreferNoSchedule', 'NoExecute'",
        "|configmaps|{'data':{'a':''},'binaryData':{'a':''}}|data[a]: Invalid value: 'a': duplicate"
            + " of key present in binaryData",
        "coordination.k8s.io|leases|{'spec':{'leaseDurationSeconds':0}}|spec.leaseDurationSeconds:"
            + " Invalid value: 0: must be greater than 0",
        "policy|poddisruptionbudgets|{'spec':{'minAvailable':'200%'}}|spec.minAvailable: Invalid"
            + " value: '200%': must not be greater than 100%",
        "scheduling.k8s.io|priorityclasses|{'value':2000000000}|value: Forbidden: maximum allowed"
            + " value of a user defined priority is 1000000000",
        "apps|deployments|{'spec':{'template':{'spec':{'containers':[{'name':'c','image':'i'}]}}}}"
            + "|[spec.selector: Required value, spec.template.metadata.labels: Invalid"
            + " value: null: `selector` does not match template `labels`]",
        "apps|daemonsets|{'spec':{'selector':{'matchLabels':{'a':'b'}},'template':{'spec':"
            + "{'containers':[{'name':'c','image':'i'}]}}}}|spec.template.metadata.labels: Invalid"
            + " value: null: `selector` does not match template `labels`",
        "|services|{'spec':{}}|spec.ports: Required value",
        "|persistentvolumeclaims|{'spec':{'accessModes':['ReadWriteOnce']}}"
            + "|spec.resources[storage]: Required value",
      })
  void anObjectThatMakesNoSenseIsRefused(
      String group, String plural, String object, String problem) {
    String named = "{'metadata':{'name':'x'}," + object.substring(1);
    assertThat(problem(group == null ? "" : group, plural, named)).isEqualTo(problem);
  }

  @Test
  void aSecretsTextsBecomeData() {
    JsonObject secret =
        cluster.create("secrets", "{'metadata':{'name':'s'},'stringData':{'a':'b'}}").tree();
    assertThat(at(secret, "data.a")).isEqualTo("Yg==");
    assertThat(secret.has("stringData")).isFalse();
    assertThat(secret.text("type")).isEqualTo("Opaque");
  }

  @Test
  void whatIsImmutableStaysAsItIs() {
    JsonObject fixed =
        cluster
            .create("configmaps", "{'metadata':{'name':'f'},'immutable':true,'data':{'a':'1'}}")
            .tree();
    assertThat(
            refused(() ->
                    cluster.registry.update(
                        cluster.core("configmaps"),
                        named("f"),
                        fixed.with("data", JsonObject.EMPTY),
                        WriteOptions.DEFAULT))
                .message())
        .endsWith("data: Forbidden: field is immutable when `immutable` is set");
  }
}
