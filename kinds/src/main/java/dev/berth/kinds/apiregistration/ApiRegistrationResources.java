package dev.berth.kinds.apiregistration;

import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** The group apiregistration.k8s.io. */
public final class ApiRegistrationResources {
  public static final String GROUP = "apiregistration.k8s.io";

  private ApiRegistrationResources() {}

  public static List<Resource> all() {
    return List.of(
        Resource.clusterWide(GROUP, "v1", "APIService")
            .categories("api-extensions")
            .status()
            .names(NameRules::pathSegment)
            .anyFinalizers()
            .rules(new ApiServiceRules())
            .columns(
                Column.NAME,
                Column.text(
                    "Service",
                    "The reference to the service that hosts this API endpoint.",
                    ApiRegistrationResources::service),
                Column.text(
                    "Available",
                    "Whether this service is available.",
                    ApiRegistrationResources::available),
                Column.AGE)
            .build());
  }

  private static String service(JsonObject apiService) {
    JsonObject spec = apiService.object("spec");
    JsonObject service = spec.object("service");
    return spec.has("service")
        ? service.text("namespace", "") + "/" + service.text("name", "")
        : "Local";
  }

  private static String available(JsonObject apiService) {
    return apiService.object("status").array("conditions").objects().stream()
        .filter(condition -> condition.text("type", "").equals("Available"))
        .findFirst()
        .map(ApiRegistrationResources::shown)
        .orElse("Unknown");
  }

  private static String shown(JsonObject condition) {
    String status = condition.text("status", "");
    return status.equals("True")
        ? status
        : "%s (%s)".formatted(status, condition.text("reason", ""));
  }
}
