package dev.berth.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
