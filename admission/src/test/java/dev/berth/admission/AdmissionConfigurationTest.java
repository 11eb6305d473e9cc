package dev.berth.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.model.config.ConfigException;
import dev.berth.model.core.Toleration;
import dev.berth.model.namespace.ResourceQuotaView.Scope;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.quota.LimitedResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of {@code --admission-control-config-file}. */
class AdmissionConfigurationTest {
  @TempDir private Path directory;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  @Test
  void webhooksHaveAKubeconfigHereOrInAFileOfTheirOwn() throws IOException {
    write(
        "webhooks.yaml",
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: WebhookAdmissionConfiguration
        kubeConfigFile: /etc/two
        """);
    Path file =
        write(
            "admission.yaml",
            """
            apiVersion: apiserver.config.k8s.io/v1
            kind: AdmissionConfiguration
            plugins:
            - name: ValidatingAdmissionWebhook
              configuration:
                apiVersion: apiserver.config.k8s.io/v1
                kind: WebhookAdmissionConfiguration
                kubeConfigFile: /etc/one
            - name: MutatingAdmissionWebhook
              path: webhooks.yaml
            - name: PodSecurity
            """);
    assertThat(AdmissionConfiguration.read(file).kubeconfigs())
        .isEqualTo(
            Map.of(
                "ValidatingAdmissionWebhook",
                Path.of("/etc/one"),
                "MutatingAdmissionWebhook",
                Path.of("/etc/two")));
  }

  @Test
  void otherPluginsAreToldWhatHoldsWhereNamespacesSayNothing() throws IOException {
    write(
        "selectors.yaml",
        """
        podNodeSelectorPluginConfig:
          clusterDefaultNodeSelector: env=prod, disk=ssd
          team: env=test
        """);
    write(
        "quota.yaml",
        """
        apiVersion: resourcequota.admission.k8s.io/v1beta1
        kind: Configuration
        limitedResources:
        - resource: pods
          matchScopes:
          - {scopeName: PriorityClass, operator: In, values: [high]}
        """);
    Path file =
        write(
            "admission.yaml",
            """
            apiVersion: apiserver.config.k8s.io/v1
            kind: AdmissionConfiguration
            plugins:
            - name: PodNodeSelector
              path: selectors.yaml
            - name: ResourceQuota
              path: quota.yaml
            - name: PodTolerationRestriction
              configuration:
                apiVersion: podtolerationrestriction.admission.k8s.io/v1alpha1
                kind: Configuration
                default: [{key: a, operator: Exists}]
                whitelist: [{operator: Exists}]
            """);
    AdmissionConfiguration read = AdmissionConfiguration.read(file);
    assertThat(read.nodeSelectors().usual())
        .isEqualTo(JsonObject.of("env", "prod").with("disk", "ssd"));
    assertThat(read.nodeSelectors().allowed())
        .isEqualTo(Map.of("team", JsonObject.of("env", "test")));
    assertThat(read.tolerations().usual()).extracting(Toleration::key).containsExactly("a");
    assertThat(read.tolerations().whitelist()).extracting(Toleration::key).containsExactly("");
    assertThat(read.quotas().limited())
        .containsExactly(
            new LimitedResource(
                new GroupResource("", "pods"),
                List.of(),
                List.of(new Scope("PriorityClass", "In", List.of("high")))));
  }

  @Test
  void filesOfPluginsAreNamedWithWhatIsWrongInThem() throws IOException {
    write("selectors.yaml", "podNodeSelectorPluginConfig: {a: 'x', b: 'k=-'}\nother: 1\n");
    write(
        "quota.yaml",
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: Configuration
        limitedResources:
        - {apiGroup: apps, matchScopes: [{scopeName: Age, operator: Older}]}
        """);
    Map<String, String> said =
        Map.of(
            "PodNodeSelector",
            "{path: selectors.yaml}",
            "ResourceQuota",
            "{path: quota.yaml}",
            "PodTolerationRestriction",
            "{configuration: {apiVersion: podtolerationrestriction.admission.k8s.io/v1alpha1, kind:"
                + " Configuration, default: [{key: a, operator: Near}]}}");
    assertThat(problem("PodNodeSelector", said))
        .contains(
            directory.resolve("selectors.yaml")
                + " is not a valid configuration of PodNodeSelector",
            "other: Forbidden: unknown field",
            "podNodeSelectorPluginConfig.a: Invalid value: \"x\": must be a list of labels such as"
                + " env=prod,disk=ssd",
            "podNodeSelectorPluginConfig.b: Invalid value: \"k=-\"");
    assertThat(problem("ResourceQuota", said))
        .contains(
            directory.resolve("quota.yaml") + " is not a valid ResourceQuotaConfiguration",
            "kind: Unsupported value: \"Configuration\": supported values:"
                + " \"ResourceQuotaConfiguration\"",
            "limitedResources[0].resource: Required value",
            "limitedResources[0].matchScopes[0].scopeName: Unsupported value: \"Age\"",
            "limitedResources[0].matchScopes[0].operator: Unsupported value: \"Older\"");
    assertThat(problem("PodTolerationRestriction", said))
        .contains("plugins[0].configuration.default[0].operator: Unsupported value: \"Near\"");
  }

  private String problem(String plugin, Map<String, String> said) throws IOException {
    Path file =
        write(
            "admission.yaml",
            "{apiVersion: apiserver.config.k8s.io/v1, kind: AdmissionConfiguration, plugins: [{name:"
                + " %s, %s]}".formatted(plugin, said.getOrDefault(plugin, "{}").substring(1)));
    return catchThrowableOfType(ConfigException.class, () -> AdmissionConfiguration.read(file))
        .toString();
  }

  @Test
  void saysWhatIsWrong() throws IOException {
    Path file =
        write(
            "admission.yaml",
            """
            apiVersion: apiserver.config.k8s.io/v1
            kind: AdmissionConfiguration
            plugins:
            - name: ValidatingAdmissionWebhook
              configuration:
                apiVersion: apiserver.config.k8s.io/v1
                kind: Other
                kubeConfigFile: relative
            - name: EventRateLimit
              configuration: {}
            - path: nowhere
            - name: PodSecurity
              configuration:
                apiVersion: pod-security.admission.config.k8s.io/v1
                kind: PodSecurityConfiguration
                defaults: {enforce: strict, warn-version: v2}
                exemptions: {namespaces: [A, b, b], usernames: ['']}
            """);
    assertThatThrownBy(() -> AdmissionConfiguration.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll(
            "plugins[0].configuration.kind: Unsupported value: \"Other\"",
            "plugins[0].configuration.kubeConfigFile: Invalid value: \"relative\": must be an"
                + " absolute file path",
            "plugins[1].name: Unsupported value: \"EventRateLimit\"",
            "plugins[2].name: Required value",
            "plugins[3].configuration.defaults.enforce: Invalid value: \"strict\": must be one of"
                + " privileged, baseline, restricted",
            "plugins[3].configuration.defaults.warn-version: Invalid value: \"v2\": must be"
                + " \"latest\" or \"v1.x\"",
            "plugins[3].configuration.exemptions.namespaces[0]: Invalid value: \"A\"",
            "plugins[3].configuration.exemptions.namespaces[2]: Duplicate value: \"b\"",
            "plugins[3].configuration.exemptions.usernames[0]: Invalid value: \"\": username must"
                + " not be empty");
  }
}
