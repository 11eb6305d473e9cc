package dev.berth.serving.aggregation;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.Optional;

/**
 * A group and version that a server behind a service answers for: what its APIService says.
 *
 * @param caBundle certificates in PEM, encoded in base64; empty to trust whom the machine trusts
 * @param isInsecure whether the server is trusted whoever it is
 * @param isAvailable whether it was found to answer
 */
public record RemoteApi(
    String name,
    GroupVersion version,
    ObjectName service,
    int port,
    String caBundle,
    boolean isInsecure,
    boolean isAvailable,
    long groupPriority,
    long versionPriority) {
  private static final long HTTPS = 443;

  /** What an APIService says; empty if this server answers itself. */
  public static Optional<RemoteApi> read(JsonObject apiService) {
    JsonObject spec = apiService.object("spec");
    if (!spec.has("service")) {
      return Optional.empty();
    }
    JsonObject service = spec.object("service");
    return Optional.of(
        new RemoteApi(
            Metadata.of(apiService).name(),
            new GroupVersion(spec.text("group", ""), spec.text("version", "")),
            new ObjectName(service.text("namespace", ""), service.text("name", "")),
            (int) service.integer("port").orElse(HTTPS),
            spec.text("caBundle", ""),
            spec.flag("insecureSkipTLSVerify", false),
            isAvailable(apiService),
            spec.integer("groupPriorityMinimum").orElse(0),
            spec.integer("versionPriority").orElse(0)));
  }

  private static boolean isAvailable(JsonObject apiService) {
    return apiService.object("status").array("conditions").objects().stream()
        .anyMatch(condition ->
            condition.text("type", "").equals("Available")
                && condition.text("status", "").equals("True"));
  }

  /** The same whatever was found out about it: what to ask, and whom. */
  public RemoteApi asked() {
    return new RemoteApi(
        name, version, service, port, caBundle, isInsecure, false, groupPriority, versionPriority);
  }

  /** The name that the server's certificate is for. */
  public String serverName() {
    return "%s.%s.svc".formatted(service.name(), service.namespace());
  }
}
