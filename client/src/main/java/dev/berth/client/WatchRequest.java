package dev.berth.client;

import dev.berth.model.resource.GroupVersionResource;

/**
 * A request for a watch.
 *
 * @param namespace empty for all namespaces, and for a resource that has none
 * @param labels a label selector as text; empty for all objects
 * @param fields a field selector as text; empty for all objects
 * @param revision the watch begins with the first change after this one
 * @param onlyMetadata whether the reader needs nothing but metadata, and of those not the managed
 *     fields
 */
public record WatchRequest(
    GroupVersionResource resource,
    String namespace,
    String labels,
    String fields,
    String revision,
    boolean onlyMetadata) {}
