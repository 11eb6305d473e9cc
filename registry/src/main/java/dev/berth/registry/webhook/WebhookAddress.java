package dev.berth.registry.webhook;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;

/**
 * Where a webhook is, as a client configuration says it.
 *
 * @param url empty where a service is named
 * @param service of no name where a URL is given
 * @param path that a service serves the webhook at; empty, or with a slash in front
 * @param caBundle certificates in PEM, encoded in base64; empty to trust whom the machine trusts
 */
public record WebhookAddress(
    String url, ObjectName service, int port, String path, String caBundle) {
  private static final long HTTPS = 443;

  /** Reads Kubernetes' {@code clientConfig}. */
  public static WebhookAddress read(JsonObject clientConfig) {
    JsonObject service = clientConfig.object("service");
    return new WebhookAddress(
        clientConfig.text("url", ""),
        new ObjectName(service.text("namespace", ""), service.text("name", "")),
        (int) service.integer("port").orElse(HTTPS),
        service.text("path", ""),
        clientConfig.text("caBundle", ""));
  }

  public boolean isService() {
    return url.isEmpty();
  }

  /** The name that a service's certificate is for. */
  public String serverName() {
    return "%s.%s.svc".formatted(service.name(), service.namespace());
  }

  /** The URL to show to people, and to send requests to if there is no service to look up. */
  public String shownUrl() {
    return isService() ? "https://%s:%d%s".formatted(serverName(), port, path) : url;
  }
}
