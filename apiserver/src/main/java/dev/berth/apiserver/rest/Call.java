package dev.berth.apiserver.rest;

import dev.berth.apiserver.auth.User;
import dev.berth.apiserver.http.Exchange;
import dev.berth.apiserver.http.Headers;
import dev.berth.apiserver.http.Response;
import dev.berth.apiserver.observe.Observed;
import dev.berth.apiserver.resource.Resource;
import dev.berth.apiserver.status.Status;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonWriter;
import java.util.ArrayList;
import java.util.List;

/** One request about a resource, read and allowed, and what its answer must not forget. */
final class Call {
  private static final String JSON = "application/json";

  private final Observed exchange;
  private final RequestPath.OfResource path;
  private final Resource resource;
  private final Query query;
  private final User user;
  private final List<String> warnings = new ArrayList<>();

  Call(Observed exchange, RequestPath.OfResource path, Resource resource, Query query, User user) {
    this.exchange = exchange;
    this.path = path;
    this.resource = resource;
    this.query = query;
    this.user = user;
  }

  Exchange exchange() {
    return exchange;
  }

  Resource resource() {
    return resource;
  }

  Query query() {
    return query;
  }

  User user() {
    return user;
  }

  /** The namespace of a resource that has them; empty for all. */
  String namespace() {
    return resource.isNamespaced() ? path.namespace() : "";
  }

  ObjectName name() {
    return new ObjectName(namespace(), path.name());
  }

  boolean hasName() {
    return !path.name().isEmpty();
  }

  String subresource() {
    return path.subresource();
  }

  /** Says which object the call was about, where the path did not. */
  void concerns(String objectName) {
    exchange.concerns(objectName);
  }

  /** Says something to the client beside the answer. */
  void warn(String text) {
    warnings.add(text);
  }

  /** The header fields of an answer of this type. */
  Headers headers() {
    Headers headers = Headers.of("Content-Type", JSON).with("Cache-Control", "no-cache, private");
    for (String warning : warnings) {
      String quoted = warning.replace("\\", "\\\\").replace("\"", "\\\"");
      headers = headers.with("Warning", "299 - \"" + quoted.replaceAll("\\p{Cntrl}", " ") + "\"");
    }
    return headers;
  }

  void respond(int status, byte[] body) {
    byte[] shown = query.flag("pretty") ? PrettyJson.of(body) : body;
    exchange.respond(new Response(status, headers(), List.of(shown)));
  }

  void respond(Status status) {
    respond(status.code(), JsonWriter.toBytes(status.toTree()));
  }
}
