package dev.berth.schemas;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which group each model belongs to, and so its name in OpenAPI, which the artifact does
 * not say.
 *
 * <ol>
 *   <li>The types of {@code meta/v1} are known by name.
 *   <li>A class with a prefix belongs to the group of that prefix.
 *   <li>A few types are used by the clients of another group, or by none; they are known by name,
 *       and what they refer to belongs to their group.
 *   <li>What the core group's clients use, at whatever depth, is core: other groups refer to core,
 *       never the other way.
 *   <li>What is left belongs to the one group whose clients use it.
 * </ol>
 */
final class TypeNames {
  private static final Set<String> META =
      Set.of(
          "APIGroup",
          "APIGroupList",
          "APIResource",
          "APIResourceList",
          "APIVersions",
          "Condition",
          "DeleteOptions",
          "FieldSelectorRequirement",
          "GroupResource",
          "GroupVersionForDiscovery",
          "GroupVersionKind",
          "LabelSelector",
          "LabelSelectorRequirement",
          "ListMeta",
          "ManagedFieldsEntry",
          "ObjectMeta",
          "OwnerReference",
          "Preconditions",
          "ServerAddressByClientCIDR",
          "ShardInfo",
          "Status",
          "StatusCause",
          "StatusDetails",
          "WatchEvent");

  private static final Map<String, ApiGroup> USED_ELSEWHERE =
      Map.of(
          "V1Eviction", ApiGroup.POLICY,
          "V1Scale", ApiGroup.AUTOSCALING,
          "V1TopologySelectorTerm", ApiGroup.CORE,
          "AuthenticationV1TokenRequest", ApiGroup.AUTHENTICATION,
          "V2APIGroupDiscoveryList", ApiGroup.DISCOVERY_OF_GROUPS,
          "V2beta1APIGroupDiscoveryList", ApiGroup.DISCOVERY_OF_GROUPS);

  private final Map<Class<?>, ApiGroup> groups = new HashMap<>();

  TypeNames(ClientClasses classes) {
    List<Class<?>> models = classes.models();
    for (Class<?> model : models) {
      ApiGroup known = known(model);
      if (known != null) {
        groups.put(model, known);
      }
    }
    for (Class<?> model : models) {
      ApiGroup group = USED_ELSEWHERE.get(model.getSimpleName());
      if (group != null) {
        claim(List.of(model), group);
      }
    }
    for (ApiGroup group : ApiGroup.ALL) {
      claim(classes.modelsOfClients(group), group);
    }
    List<Class<?>> unnamed = new ArrayList<>(models);
    unnamed.removeAll(groups.keySet());
    if (!unnamed.isEmpty()) {
      throw new IllegalStateException("models of no known group: " + unnamed);
    }
  }

  private static @Nullable ApiGroup known(Class<?> model) {
    ModelName name = ModelName.of(model);
    if (name.groupPrefix().isEmpty()) {
      return name.version().equals("v1") && META.contains(name.kind()) ? ApiGroup.META : null;
    }
    return ApiGroup.ALL.stream()
        .filter(group -> group.hasClassPrefix(name.groupPrefix()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("a prefix of no known group: " + model));
  }

  /** Gives a group all models that can be reached and are nobody's. {@code CORE} goes first. */
  private void claim(Collection<Class<?>> roots, ApiGroup group) {
    Deque<Class<?>> waiting = new ArrayDeque<>(roots);
    Set<Class<?>> seen = new HashSet<>();
    while (!waiting.isEmpty()) {
      Class<?> model = waiting.pop();
      if (seen.add(model) && groups.computeIfAbsent(model, _ -> group).equals(group)) {
        waiting.addAll(ModelFields.references(model));
      }
    }
  }

  ApiGroup group(Class<?> model) {
    ApiGroup group = groups.get(model);
    if (group == null) {
      throw new IllegalArgumentException("not a model: " + model);
    }
    return group;
  }

  /** The name of a model in OpenAPI. */
  String name(Class<?> model) {
    ModelName name = ModelName.of(model);
    return group(model).openApi() + "." + name.version() + "." + name.kind();
  }
}
