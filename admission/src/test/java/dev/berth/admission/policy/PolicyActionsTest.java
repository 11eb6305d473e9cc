package dev.berth.admission.policy;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.admission.AdmissionPlugins;
import dev.berth.admission.match.Authorizers;
import dev.berth.metrics.Metrics;
import dev.berth.metrics.MetricsText;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.Registry;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.admission.AdmissionChain;
import dev.berth.registry.admission.AdmissionNotices;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.registry.webhook.WebhookClient;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of what policies find: refusals, notes, figures; and who is asked again. */
class PolicyActionsTest {
  private static final String GROUP = "admissionregistration.k8s.io";

  private final Metrics metrics = new Metrics();
  private final TestCluster cluster = new TestCluster(this::chain);
  private final List<String> warnings = new ArrayList<>();
  private final Map<String, String> annotations = new LinkedHashMap<>();

  private AdmissionChain chain(Registry registry) {
    return AdmissionPlugins.standard()
        .chain(
            new AdmissionPlugins.Dependencies(
                registry, (_, _, _) -> false, WebhookClient.NONE, metrics, Authorizers.NOBODY));
  }

  private WriteOptions noted(String subresource) {
    return new WriteOptions(
        false,
        subresource,
        "",
        User.SERVER,
        new AdmissionNotices() {
          @Override
          public void warn(String text) {
            warnings.add(text);
          }

          @Override
          public void annotate(String key, String value) {
            if (key.contains("policy.admission")) {
              annotations.putIfAbsent(key, value);
            }
          }
        });
  }

  private void policy(String kind, String name, String match, JsonObject spec, String binding) {
    JsonObject constraints = tree("{'resourceRules':[%s]}".formatted(match));
    cluster.registry.create(
        cluster.resource(GROUP, kind + "admissionpolicies"),
        "",
        tree("{'metadata':{'name':'%s'}}".formatted(name))
            .with("spec", spec.with("matchConstraints", constraints)),
        WriteOptions.DEFAULT);
    cluster.registry.create(
        cluster.resource(GROUP, kind + "admissionpolicybindings"),
        "",
        tree(
            "{'metadata':{'name':'%s-binding'},'spec':{'policyName':'%s'%s}}"
                .formatted(name, name, binding)),
        WriteOptions.DEFAULT);
  }

  private void validating(String name, String match, String expression, String actions) {
    policy(
        "validating",
        name,
        match,
        JsonObject.of("validations", JsonArray.of(JsonObject.of("expression", expression)))
            .with("failurePolicy", name.startsWith("ignoring") ? "Ignore" : "Fail"),
        ",'validationActions':[" + actions + "]");
  }

  private void mutating(String name, String reinvocation, String expression) {
    JsonObject mutation =
        JsonObject.of("patchType", "ApplyConfiguration")
            .with("applyConfiguration", JsonObject.of("expression", expression));
    policy(
        "mutating",
        name,
        PODS,
        JsonObject.of("reinvocationPolicy", reinvocation).with("mutations", JsonArray.of(mutation)),
        "");
  }

  private static final String PODS =
      "{'apiGroups':[''],'apiVersions':['v1'],'resources':['pods'],'operations':['CREATE']}";

  private JsonObject pod(String name) {
    JsonObject pod =
        tree(
            "{'metadata':{'name':'%s'},'spec':{'containers':[{'name':'c','image':'i'}]}}"
                .formatted(name));
    return cluster.registry.create(cluster.core("pods"), "default", pod, noted("")).tree();
  }

  @Test
  void whatIsAuditedIsNotedAndLetIn() {
    validating("audited", PODS, "object.spec.containers.size() > 1", "'Audit'");
    validating("second", PODS, "object.spec.containers.size() > 2", "'Audit'");
    pod("p");
    assertThat(annotations)
        .containsExactly(
            Map.entry(
                "validation.policy.admission.k8s.io/validation_failure",
                "[{\"message\":\"failed expression: object.spec.containers.size() > 1\",\"policy\":\"audited\",\"binding\":\"audited-binding\",\"expressionIndex\":0,\"validationActions\":[\"Audit\"]}]"));
    assertThat(warnings).isEmpty();
    assertThat(metrics.text(MetricsText.Format.PROMETHEUS))
        .contains(
            "apiserver_validating_admission_policy_check_total{policy=\"audited\",policy_binding=\"audited-binding\",error_type=\"no_error\",enforcement_action=\"audit\"} 1",
            "apiserver_validating_admission_policy_check_duration_seconds_count{policy=\"audited\",policy_binding=\"audited-binding\",error_type=\"no_error\",enforcement_action=\"audit\"} 1");
  }

  @Test
  void refusalsAndFailuresAreCounted() {
    validating("refusing", PODS, "false", "'Deny','Audit'");
    validating("ignoring", PODS, "object.spec.nothing == 1", "'Deny'");
    assertThat(refused(() -> pod("p")).message())
        .contains("ValidatingAdmissionPolicy 'refusing' with binding 'refusing-binding' denied");
    assertThat(metrics.text(MetricsText.Format.PROMETHEUS))
        .contains(
            "{policy=\"refusing\",policy_binding=\"refusing-binding\",error_type=\"no_error\",enforcement_action=\"deny\"} 1",
            "{policy=\"refusing\",policy_binding=\"refusing-binding\",error_type=\"no_error\",enforcement_action=\"audit\"} 1",
            "{policy=\"ignoring\",policy_binding=\"ignoring-binding\",error_type=\"invalid_error\",enforcement_action=\"allow\"} 1");
  }

  @Test
  void connectionsAreValidatedByTheirOptions() {
    validating(
        "shells",
        "{'apiGroups':[''],'apiVersions':['v1'],'resources':['pods/exec'],'operations':['CONNECT']}",
        "object.command != ['sh']",
        "'Deny'");
    JsonObject options =
        tree("{'kind':'PodExecOptions','apiVersion':'v1','container':'c','command':['sh']}");
    pod("p");
    assertThat(
            refused(() ->
                    cluster.registry.admitConnection(
                        cluster.core("pods"), named("p"), options, noted("exec")))
                .message())
        .contains(
            "ValidatingAdmissionPolicy 'shells' with binding 'shells-binding' denied request");
    cluster.registry.admitConnection(
        cluster.core("pods"),
        named("p"),
        tree("{'kind':'PodExecOptions','apiVersion':'v1','command':['ls']}"),
        noted("exec"));
  }

  /** Two see the object before a third has changed it; one of them wants to see it afterwards. */
  @Test
  void whoWantsToIsAskedAgainAfterAChange() {
    String saying =
        "Object{metadata: Object.metadata{labels: {'%s': 'third' in"
            + " object.metadata.?labels.orValue({}) ? 'after' : 'before'}}}";
    mutating("a", "IfNeeded", saying.formatted("eager"));
    mutating("b", "Never", saying.formatted("content"));
    mutating("c", "Never", "Object{metadata: Object.metadata{labels: {'third': 'was-here'}}}");
    JsonObject labels = pod("p").object("metadata").object("labels");
    assertThat(labels.text("eager")).isEqualTo("after");
    assertThat(labels.text("content")).isEqualTo("before");
    assertThat(metrics.text(MetricsText.Format.PROMETHEUS))
        .contains(
            "apiserver_mutating_admission_policy_check_total{policy=\"a\",policy_binding=\"a-binding\",error_type=\"no_error\"} 2",
            "apiserver_mutating_admission_policy_check_total{policy=\"b\",policy_binding=\"b-binding\",error_type=\"no_error\"} 1");
  }
}
