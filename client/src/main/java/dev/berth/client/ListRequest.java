package dev.berth.client;

import dev.berth.model.resource.GroupVersionResource;

/**
 * What to list.
 *
 * @param namespace empty for all namespaces, and for a resource that has none
 * @param labels a label selector as text; empty for all objects
 * @param fields a field selector as text; empty for all objects
 * @param limit at most so many on a page; 0 for all
 * @param continueToken where a page before ended; empty for the first
 * @param revision not older than this one; empty for the latest
 */
public record ListRequest(
    GroupVersionResource resource,
    String namespace,
    String labels,
    String fields,
    int limit,
    String continueToken,
    String revision) {

  /** All objects of a resource, as they are now. */
  public static ListRequest of(GroupVersionResource resource) {
    return new ListRequest(resource, "", "", "", 0, "", "");
  }

  public ListRequest in(String space) {
    return new ListRequest(resource, space, labels, fields, limit, continueToken, revision);
  }

  public ListRequest labels(String selector) {
    return new ListRequest(resource, namespace, selector, fields, limit, continueToken, revision);
  }

  public ListRequest fields(String selector) {
    return new ListRequest(resource, namespace, labels, selector, limit, continueToken, revision);
  }

  public ListRequest limit(int most) {
    return new ListRequest(resource, namespace, labels, fields, most, continueToken, revision);
  }

  public ListRequest continuing(String token) {
    return new ListRequest(resource, namespace, labels, fields, limit, token, revision);
  }

  public ListRequest notOlderThan(String least) {
    return new ListRequest(resource, namespace, labels, fields, limit, continueToken, least);
  }

  /** A watch of the same objects, from a revision on. */
  public WatchRequest watchAfter(String seen) {
    return new WatchRequest(resource, namespace, labels, fields, seen);
  }
}
