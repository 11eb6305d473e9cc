package dev.berth.policy.quota;

import dev.berth.model.core.ResourceList;
import dev.berth.model.namespace.ResourceQuotaView;
import dev.berth.model.namespace.ResourceQuotaView.Scope;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.tree.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What nobody may use unless a quota of their namespace limits it; without one, it would be
 * unlimited.
 *
 * @param resource whose objects it is about
 * @param matchContains parts of the names that quotas have for what is limited
 * @param matchScopes which objects, of whatever resource, need a quota that has the same scope
 */
public record LimitedResource(
    GroupResource resource, List<String> matchContains, List<Scope> matchScopes) {
  public LimitedResource {
    matchContains = List.copyOf(matchContains);
    matchScopes = List.copyOf(matchScopes);
  }

  /**
   * Why an object may not be written; empty if it may.
   *
   * @param usage what it uses
   * @param quotas all quotas of its namespace
   */
  public static Optional<String> uncovered(
      Collection<LimitedResource> limits,
      GroupResource resource,
      JsonObject object,
      ResourceList usage,
      List<ResourceQuotaView> quotas) {
    Set<String> names = new TreeSet<>();
    limits.stream()
        .filter(limit -> limit.resource.equals(resource))
        .forEach(limit -> names.addAll(limit.names(usage)));
    quotas.stream()
        .filter(quota -> QuotaScopes.covers(quota, resource, object))
        .forEach(quota -> names.removeAll(quota.hard().amounts().keySet()));
    if (!names.isEmpty()) {
      return Optional.of("insufficient quota to consume: " + String.join(",", names));
    }
    List<Scope> scopes =
        limits.stream()
            .flatMap(limit -> limit.matchScopes.stream())
            .filter(scope -> QuotaScopes.isIn(scope, resource, object))
            .filter(
                scope -> quotas.stream().noneMatch(quota -> has(quota, scope, resource, object)))
            .toList();
    return scopes.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "insufficient quota to match these scopes: ["
                + String.join(" ", scopes.stream().map(LimitedResource::shown).toList())
                + "]");
  }

  private List<String> names(ResourceList usage) {
    return usage.amounts().keySet().stream()
        .filter(name -> usage.get(name).signum() > 0)
        .filter(name -> matchContains.stream().anyMatch(name::contains))
        .toList();
  }

  private static boolean has(
      ResourceQuotaView quota, Scope limited, GroupResource resource, JsonObject object) {
    return quota.scopes().stream()
        .anyMatch(scope ->
            scope.name().equals(limited.name()) && QuotaScopes.isIn(scope, resource, object));
  }

  private static String shown(Scope scope) {
    return "{%s %s [%s]}"
        .formatted(scope.name(), scope.operator(), String.join(" ", scope.values()));
  }
}
