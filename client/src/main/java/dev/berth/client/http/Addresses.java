package dev.berth.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.client.ListRequest;
import dev.berth.client.Target;
import dev.berth.client.WatchRequest;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import java.net.URI;
import java.net.URLEncoder;
import java.time.Duration;

/** The URLs of requests to one server. */
final class Addresses {
  private final String server;

  Addresses(URI server) {
    String text = server.toString();
    this.server = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }

  URI of(Target target, String query) {
    StringBuilder address = path(target.resource(), target.name());
    if (!target.subresource().isEmpty()) {
      address.append('/').append(encoded(target.subresource()).replace("%2F", "/"));
    }
    return URI.create(address + (query.isEmpty() ? "" : "?" + query));
  }

  /** A path of the server's own, such as {@code /apis}. */
  URI of(String path) {
    return URI.create(server + path);
  }

  URI of(ListRequest request) {
    Query query = selection(request.labels(), request.fields());
    if (request.limit() > 0) {
      query.add("limit", Integer.toString(request.limit()));
    }
    query.add("continue", request.continueToken());
    query.add("resourceVersion", request.revision());
    query.add("resourceVersionMatch", request.revision().isEmpty() ? "" : "NotOlderThan");
    return all(request.resource(), request.namespace(), query);
  }

  URI of(WatchRequest request, Duration timeout) {
    Query query = selection(request.labels(), request.fields());
    query.add("watch", "true");
    query.add("allowWatchBookmarks", "true");
    query.add("resourceVersion", request.revision());
    query.add("timeoutSeconds", Long.toString(timeout.toSeconds()));
    return all(request.resource(), request.namespace(), query);
  }

  static Query selection(String labels, String fields) {
    Query query = new Query();
    query.add("labelSelector", labels);
    query.add("fieldSelector", fields);
    return query;
  }

  private URI all(GroupVersionResource resource, String namespace, Query query) {
    StringBuilder address = path(resource, new ObjectName(namespace, ""));
    return URI.create(address + (query.text.isEmpty() ? "" : "?" + query.text));
  }

  private StringBuilder path(GroupVersionResource resource, ObjectName name) {
    StringBuilder path = new StringBuilder(server);
    if (resource.group().isEmpty()) {
      path.append("/api/");
    } else {
      path.append("/apis/").append(resource.group()).append('/');
    }
    path.append(resource.version());
    if (!name.namespace().isEmpty()) {
      path.append("/namespaces/").append(encoded(name.namespace()));
    }
    path.append('/').append(encoded(resource.resource()));
    if (!name.name().isEmpty()) {
      path.append('/').append(encoded(name.name()));
    }
    return path;
  }

  private static String encoded(String segment) {
    return URLEncoder.encode(segment, UTF_8).replace("+", "%20");
  }

  /** Parameters, of which those without a value are left out. */
  static final class Query {
    private final StringBuilder text = new StringBuilder();

    void add(String name, String value) {
      if (!value.isEmpty()) {
        text.append(text.isEmpty() ? "" : "&").append(name).append('=').append(encoded(value));
      }
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}
