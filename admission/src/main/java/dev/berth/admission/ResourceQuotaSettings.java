package dev.berth.admission;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.namespace.ResourceQuotaView.Scope;
import dev.berth.model.resource.GroupResource;
import dev.berth.policy.quota.LimitedResource;
import dev.berth.policy.quota.QuotaScopes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What the file of ResourceQuota says: what may be used only where a quota limits it. */
record ResourceQuotaSettings(List<LimitedResource> limited) {
  static final ResourceQuotaSettings NONE = new ResourceQuotaSettings(List.of());

  private static final String NEWEST = "apiserver.config.k8s.io/v1";
  static final List<String> VERSIONS =
      List.of(
          NEWEST,
          "resourcequota.admission.k8s.io/v1beta1",
          "resourcequota.admission.k8s.io/v1alpha1");
  private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

  ResourceQuotaSettings {
    limited = List.copyOf(limited);
  }

  /** The kind has another name in older versions. */
  static String kind(String version) {
    return version.equals(VERSIONS.get(1)) || version.equals(VERSIONS.get(2))
        ? "Configuration"
        : "ResourceQuotaConfiguration";
  }

  static ResourceQuotaSettings read(ConfigFields fields) {
    fields.onlyHas(Set.of("apiVersion", "kind", "limitedResources"));
    List<LimitedResource> limited = new ArrayList<>();
    for (ConfigFields each : fields.objects("limitedResources")) {
      each.onlyHas(Set.of("apiGroup", "resource", "matchContains", "matchScopes"));
      String resource = each.text("resource", "");
      if (resource.isEmpty()) {
        each.required("resource", "");
      }
      limited.add(
          new LimitedResource(
              new GroupResource(each.text("apiGroup", ""), resource),
              each.texts("matchContains"),
              each.objects("matchScopes").stream().map(ResourceQuotaSettings::scope).toList()));
    }
    return new ResourceQuotaSettings(limited);
  }

  private static Scope scope(ConfigFields fields) {
    fields.onlyHas(Set.of("scopeName", "operator", "values"));
    fields.expect("scopeName", QuotaScopes.NAMES);
    fields.expect("operator", OPERATORS);
    return new Scope(
        fields.text("scopeName", ""), fields.text("operator", ""), fields.texts("values"));
  }
}
