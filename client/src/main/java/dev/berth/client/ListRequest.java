package dev.berth.client;

import dev.berth.model.resource.GroupVersionResource;

/**
 * A request for a list.
 *
 * @param namespace empty for all namespaces, and for a resource that has none
 * @param labels a label selector as text; empty for all objects
 * @param fields a field selector as text; empty for all objects
 * @param limit the most objects on a page; 0 for no limit
 * @param continueToken where the page before ended; empty for the first page
 * @param revision the oldest revision that will do; empty for the latest
 * @param onlyMetadata whether the reader needs nothing but metadata, and of those not the managed
 *     fields; a server in this process returns whole objects all the same, which cost nothing there
 */
public record ListRequest(
    GroupVersionResource resource,
    String namespace,
    String labels,
    String fields,
    int limit,
    String continueToken,
    String revision,
    boolean onlyMetadata) {

  /** All objects of a resource, as they are now. */
  public static ListRequest of(GroupVersionResource resource) {
    return new ListRequest(resource, "", "", "", 0, "", "", false);
  }

  public ListRequest in(String space) {
    return new ListRequest(
        resource, space, labels, fields, limit, continueToken, revision, onlyMetadata);
  }

  public ListRequest labels(String selector) {
    return new ListRequest(
        resource, namespace, selector, fields, limit, continueToken, revision, onlyMetadata);
  }

  public ListRequest fields(String selector) {
    return new ListRequest(
        resource, namespace, labels, selector, limit, continueToken, revision, onlyMetadata);
  }

  public ListRequest limit(int most) {
    return new ListRequest(
        resource, namespace, labels, fields, most, continueToken, revision, onlyMetadata);
  }

  public ListRequest continuing(String token) {
    return new ListRequest(
        resource, namespace, labels, fields, limit, token, revision, onlyMetadata);
  }

  public ListRequest notOlderThan(String least) {
    return new ListRequest(
        resource, namespace, labels, fields, limit, continueToken, least, onlyMetadata);
  }

  public ListRequest metadata() {
    return new ListRequest(
        resource, namespace, labels, fields, limit, continueToken, revision, true);
  }

  /** A watch of the same objects, from a revision on. */
  public WatchRequest watchAfter(String seen) {
    return new WatchRequest(resource, namespace, labels, fields, seen, onlyMetadata);
  }
}
