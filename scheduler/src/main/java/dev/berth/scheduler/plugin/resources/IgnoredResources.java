package dev.berth.scheduler.plugin.resources;

import dev.berth.model.tree.JsonObject;
import java.util.Set;

/**
 * Extended resources that NodeResourcesFit leaves to others, such as extenders.
 *
 * @param names of resources, such as {@code example.com/licence}
 * @param groups what stands before the slash in the names of all resources of a group
 */
record IgnoredResources(Set<String> names, Set<String> groups) {

  static IgnoredResources read(JsonObject arguments) {
    return new IgnoredResources(
        Set.copyOf(arguments.array("ignoredResources").texts()),
        Set.copyOf(arguments.array("ignoredResourceGroups").texts()));
  }

  boolean contains(String resource) {
    int slash = resource.indexOf('/');
    return slash >= 0
        && (names.contains(resource) || groups.contains(resource.substring(0, slash)));
  }
}
