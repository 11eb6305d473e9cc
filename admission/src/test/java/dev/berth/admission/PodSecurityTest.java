package dev.berth.admission;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.policy.podsecurity.LevelVersion;
import dev.berth.policy.podsecurity.NamespaceSecurity;
import dev.berth.policy.podsecurity.SecurityLevel;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.admission.AdmissionNotices;
import dev.berth.registry.fixture.TestCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What namespaces demand of their pods. */
class PodSecurityTest {
  private static final String PRIVILEGED =
      "'containers':[{'name':'c','image':'i','securityContext':{'privileged':true}}]";
  private static final String VIOLATION =
      "privileged (container \"c\" must not set securityContext.privileged=true)";

  private final TestCluster cluster = new TestCluster(AdmissionPlugins.standard()::chain);
  private final List<String> warnings = new ArrayList<>();
  private final Map<String, String> annotations = new TreeMap<>();

  private final AdmissionNotices notices =
      new AdmissionNotices() {
        @Override
        public void warn(String text) {
          warnings.add(text);
        }

        @Override
        public void annotate(String key, String value) {
          annotations.put(key.replace("pod-security.kubernetes.io/", ""), value);
        }
      };

  private WriteOptions noted(String subresource) {
    return new WriteOptions(false, subresource, "", User.SERVER, notices);
  }

  private void label(String... labels) {
    modifyNamespace(metadata -> {
      JsonObject all = metadata.object("labels");
      for (int i = 0; i < labels.length; i += 2) {
        all = all.with("pod-security.kubernetes.io/" + labels[i], labels[i + 1]);
      }
      return metadata.with("labels", all);
    });
  }

  private void modifyNamespace(UnaryOperator<JsonObject> change) {
    cluster.registry.modify(
        cluster.core("namespaces"),
        ObjectName.of("default"),
        noted(""),
        namespace -> Metadata.update(namespace, change));
  }

  private void create(String group, String plural, String json) {
    Resource resource = cluster.resource(group, plural);
    cluster.registry.create(resource, "default", tree(json), noted(""));
  }

  private void pod(String name, String spec) {
    create("", "pods", "{'metadata':{'name':'%s'},'spec':{%s}}".formatted(name, spec));
  }

  @Test
  void defaultsHoldWhereLabelsSayNothingAndNotForWhoIsExempt() {
    LevelVersion baseline = new LevelVersion(SecurityLevel.BASELINE, LevelVersion.LATEST);
    PodSecuritySettings settings =
        new PodSecuritySettings(
            new NamespaceSecurity(baseline, baseline, baseline, List.of()),
            Set.of("operator"),
            Set.of("kube-system"),
            Set.of("kata"));
    TestCluster strict =
        new TestCluster(
            AdmissionPlugins.standard().with(AdmissionConfiguration.NONE.with(settings))::chain);
    strict.create(
        "node.k8s.io", "runtimeclasses", "", "{'metadata':{'name':'kata'},'handler':'k'}");
    assertThat(refused(() -> strict.create("pods", privileged("a", ""))).message())
        .contains("violates PodSecurity \"baseline:latest\"");
    strict.create("pods", privileged("b", "'runtimeClassName':'kata',"));
    strict.registry.create(
        strict.core("pods"),
        "default",
        tree(privileged("c", "")),
        new WriteOptions(
            false, "", "", User.authenticated("operator", List.of(User.MASTERS)), notices));
    assertThat(annotations).containsEntry("exempt", "user");
    strict.create("", "pods", "kube-system", privileged("d", ""));
  }

  private static String privileged(String name, String fields) {
    return "{'metadata':{'name':'%s'},'spec':{%s%s}}".formatted(name, fields, PRIVILEGED);
  }

  @Test
  void unlabelledNamespacesTakeAnything() {
    pod("p", PRIVILEGED);
    assertThat(warnings).isEmpty();
    assertThat(annotations).containsExactly(Map.entry("enforce-policy", "privileged:latest"));
  }

  @Test
  void whatIsEnforcedIsRefused() {
    label("enforce", "baseline", "enforce-version", "v1.36");
    assertThat(refused(() -> pod("p", PRIVILEGED)).message())
        .isEqualTo(
            "pods \"p\" is forbidden: violates PodSecurity \"baseline:v1.36\": " + VIOLATION);
    assertThat(warnings).isEmpty();
    assertThat(annotations).containsExactly(Map.entry("enforce-policy", "baseline:v1.36"));
  }

  @Test
  void whatIsWarnedOfAndRecordedIsAllowed() {
    label("warn", "baseline", "audit", "baseline", "audit-version", "v1.20");
    pod("p", PRIVILEGED);
    assertThat(warnings)
        .containsExactly("would violate PodSecurity \"baseline:latest\": " + VIOLATION);
    assertThat(annotations)
        .containsEntry(
            "audit-violations", "would violate PodSecurity \"baseline:v1.20\": " + VIOLATION);
  }

  @Test
  void templatesAreWarnedOfAndNotRefused() {
    label("enforce", "baseline");
    String template =
        "'template':{'metadata':{'labels':{'a':'b'}},'spec':{%s}}".formatted(PRIVILEGED);
    create(
        "apps",
        "deployments",
        "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},%s}}"
            .formatted(template));
    create(
        "batch",
        "cronjobs",
        "{'metadata':{'name':'j'},'spec':{'schedule':'* * * * *','jobTemplate':{'spec':{'template':{'spec':{'restartPolicy':'Never',%s}}}}}}"
            .formatted(PRIVILEGED));
    assertThat(warnings)
        .containsExactly(
            "would violate PodSecurity \"baseline:latest\": " + VIOLATION,
            "would violate PodSecurity \"baseline:latest\": " + VIOLATION);
  }

  @Test
  void changesThatMakeNoDifferenceAreNotLookedAt() {
    pod("p", PRIVILEGED);
    label("enforce", "baseline");
    cluster.registry.modify(
        cluster.core("pods"),
        named("p"),
        noted(""),
        pod -> Metadata.update(pod, m -> m.with("labels", tree("{'a':'b'}"))));
    assertThat(
            refused(() ->
                    cluster.registry.modify(
                        cluster.core("pods"),
                        named("p"),
                        noted(""),
                        pod -> {
                          JsonObject container =
                              pod.object("spec").array("containers").objects().getFirst();
                          return pod.with(
                              "spec",
                              pod.object("spec")
                                  .with("containers", JsonArray.of(container.with("image", "j"))));
                        }))
                .message())
        .contains("violates PodSecurity \"baseline:latest\"");
  }

  @Test
  void labelsThatCannotBeReadAreRefused() {
    assertThat(refused(() -> label("enforce", "strict")).message())
        .isEqualTo(
            "Namespace \"default\" is invalid: metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: \"strict\": must be one of privileged, baseline, restricted");
  }

  @Test
  void whoMakesANamespaceStricterIsWarnedOfItsPods() {
    pod("a", PRIVILEGED);
    pod("b", PRIVILEGED);
    pod("z", PRIVILEGED);
    pod("n", "'hostNetwork':true,'containers':[{'name':'c','image':'i'}]");
    label("enforce", "baseline");
    assertThat(warnings)
        .containsExactly(
            "existing pods in namespace \"default\" violate the new PodSecurity enforce level \"baseline:latest\"",
            "a (and 2 other pods): privileged",
            "n: host namespaces");
    warnings.clear();
    label("enforce", "privileged");
    assertThat(warnings).isEmpty();
  }
}
