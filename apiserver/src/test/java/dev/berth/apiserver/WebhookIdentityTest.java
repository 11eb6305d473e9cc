package dev.berth.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.admission.AdmissionConfiguration;
import dev.berth.admission.AdmissionPlugins;
import dev.berth.apiserver.fixture.JsonServer;
import dev.berth.apiserver.fixture.Kubectl;
import dev.berth.apiserver.fixture.LocalServer;
import dev.berth.model.tree.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that proves to its webhooks who it is. */
class WebhookIdentityTest {
  @TempDir private Path directory;

  @Test
  void theUserOfAWebhookIsShownToItByThePluginThatHasOne() throws Exception {
    try (JsonServer webhook = new JsonServer()) {
      webhook.serve(
          "/ask",
          review ->
              review
                  .without("request")
                  .with(
                      "response",
                      JsonObject.of("uid", review.object("request").text("uid", ""))
                          .with("allowed", true)));
      Path users =
          Files.writeString(
              directory.resolve("users"),
              "kind: Config\nusers: [{name: 'localhost:%d', user: {token: secret}}]\n"
                  .formatted(webhook.port()));
      AdmissionPlugins plugins =
          AdmissionPlugins.standard()
              .with(new AdmissionConfiguration(Map.of("ValidatingAdmissionWebhook", users)));
      try (LocalServer server = LocalServer.open(directory, plugins)) {
        Kubectl kubectl = new Kubectl(directory, server.kubeconfig());
        configure(kubectl, webhook, "Validating", "configmaps");
        configure(kubectl, webhook, "Mutating", "secrets");
        assertThat(kubectl.run("create", "configmap", "asked")).contains("created");
        assertThat(webhook.lastHeaders()).containsEntry("Authorization", List.of("Bearer secret"));
        assertThat(kubectl.run("create", "secret", "generic", "asked")).contains("created");
        assertThat(webhook.requests()).hasSize(2);
        assertThat(webhook.lastHeaders()).doesNotContainKey("Authorization");
      }
    }
  }

  private static void configure(Kubectl kubectl, JsonServer at, String kind, String resources) {
    String yaml =
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: %1$sWebhookConfiguration
        metadata: {name: asking}
        webhooks:
        - name: asking.example.com
          admissionReviewVersions: [v1]
          sideEffects: None
          namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: default}}
          clientConfig: {url: '%2$s/ask', caBundle: %3$s}
          rules: [{apiGroups: [''], apiVersions: [v1], resources: [%4$s], operations: [CREATE]}]
        """
            .formatted(
                kind,
                at.url(),
                Base64.getEncoder().encodeToString(at.authorityPem().getBytes(UTF_8)),
                resources);
    assertThat(kubectl.run("create", "-f", kubectl.file(kind + ".yaml", yaml))).contains("created");
  }
}
