package dev.berth.apiserver.rest;

import dev.berth.apiserver.auth.AccessControl;
import dev.berth.apiserver.auth.Action;
import dev.berth.apiserver.auth.User;
import dev.berth.apiserver.discovery.Discovery;
import dev.berth.apiserver.http.ClientGoneException;
import dev.berth.apiserver.http.Exchange;
import dev.berth.apiserver.http.Handler;
import dev.berth.apiserver.http.Headers;
import dev.berth.apiserver.http.Response;
import dev.berth.apiserver.openapi.OpenApi;
import dev.berth.apiserver.registry.Registry;
import dev.berth.apiserver.resource.Resource;
import dev.berth.apiserver.resource.Subresource;
import dev.berth.apiserver.status.Failures;
import dev.berth.apiserver.status.Status;
import dev.berth.apiserver.status.StatusException;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.tree.JsonWriter;
import dev.berth.store.StoreException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Answers all requests: who asks, what they ask for, whether they may, and then the endpoint whose
 * matter it is. Whatever is refused on the way becomes a {@code Status}.
 */
public final class ApiHandler implements Handler, AutoCloseable {
  private final Registry registry;
  private final AccessControl access;
  private final ObjectEndpoint objects;
  private final PatchEndpoint patches;
  private final ListEndpoint lists;
  private final WatchEndpoint watches;
  private final PodBinding bindings;
  private final Discovery discovery;
  private final OpenApi openApi;
  private final ServerPaths serverPaths;

  public ApiHandler(Registry registry, AccessControl access) {
    this.registry = registry;
    this.access = access;
    this.objects = new ObjectEndpoint(registry);
    this.patches = new PatchEndpoint(registry);
    this.lists = new ListEndpoint(registry);
    this.watches = new WatchEndpoint(registry);
    this.bindings = new PodBinding(registry);
    this.discovery = new Discovery(registry.catalog());
    this.openApi = new OpenApi(registry.catalog());
    this.serverPaths = new ServerPaths();
  }

  @Override
  public void handle(Exchange exchange) throws Exception {
    try {
      answer(exchange);
    } catch (StatusException e) {
      respond(exchange, e.status());
    } catch (StoreException e) {
      respond(exchange, Failures.internal(String.valueOf(e.getMessage())).status());
    } catch (ClientGoneException _) {
      // Nobody is left to be answered.
    }
  }

  private void answer(Exchange exchange) throws InterruptedException {
    User user = access.identify(exchange);
    Query query = Query.of(exchange.query());
    switch (RequestPath.parse(exchange.path())) {
      case RequestPath.Other(String path) -> {
        access.check(user, new Action.OnPath(exchange.method().toLowerCase(Locale.ROOT), path));
        answerPath(exchange, path, query);
      }
      case RequestPath.OfResource path -> {
        String verb = verb(exchange.method(), path, query);
        GroupResource named = new GroupResource(path.version().group(), path.resource());
        access.check(
            user,
            new Action.OnResource(verb, named, path.namespace(), path.name(), path.subresource()));
        Resource resource =
            registry
                .catalog()
                .find(path.version().resource(path.resource()))
                .orElseThrow(Failures::noSuchResource);
        checkPlace(resource, path, verb);
        answerCall(verb, new Call(exchange, path, resource, query, user));
      }
    }
  }

  /** What the method means for this path. */
  private static String verb(String method, RequestPath.OfResource path, Query query) {
    boolean one = !path.name().isEmpty();
    return switch (method) {
      case "GET", "HEAD" -> query.flag("watch") ? "watch" : one ? "get" : "list";
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> one ? "delete" : "deletecollection";
      default -> throw Failures.methodNotAllowed();
    };
  }

  /** Refuses paths and verbs that the resource has not. */
  private static void checkPlace(Resource resource, RequestPath.OfResource path, String verb) {
    boolean namesNamespace = !path.namespace().isEmpty();
    boolean isNamespaces = resource.groupResource().toString().equals("namespaces");
    boolean wrongScope = !resource.isNamespaced() && namesNamespace && !isNamespaces;
    boolean needsNamespace = resource.isNamespaced() && !namesNamespace && !path.name().isEmpty();
    if (wrongScope || needsNamespace) {
      throw Failures.noSuchResource();
    }
    if (path.subresource().isEmpty()) {
      boolean wrongPlace =
          switch (verb) {
            case "create" -> !path.name().isEmpty() || (resource.isNamespaced() && !namesNamespace);
            case "update", "patch" -> path.name().isEmpty();
            default -> false;
          };
      if (wrongPlace || !resource.verbs().contains(verb)) {
        throw Failures.methodNotAllowed();
      }
      return;
    }
    Optional<Subresource> subresource = resource.subresource(path.subresource());
    if (subresource.isEmpty()) {
      throw Failures.noSuchResource();
    }
    if (!subresource.get().verbs().contains(verb)) {
      throw Failures.methodNotAllowed();
    }
  }

  private void answerCall(String verb, Call call) throws InterruptedException {
    if (call.subresource().equals("binding")) {
      bindings.bind(call);
      return;
    }
    switch (verb) {
      case "get" -> objects.get(call);
      case "list" -> lists.list(call);
      case "watch" -> watches.watch(call);
      case "create" -> objects.create(call);
      case "update" -> objects.update(call);
      case "patch" -> patches.patch(call);
      case "delete" -> objects.delete(call);
      case "deletecollection" -> objects.deleteCollection(call);
      default -> throw Failures.methodNotAllowed();
    }
  }

  private void answerPath(Exchange exchange, String path, Query query) {
    if (!exchange.method().equals("GET")) {
      throw Failures.methodNotAllowed();
    }
    Optional<Response> response =
        serverPaths
            .answer(path, query)
            .or(() -> discovery.answer(path, exchange.headers("Accept")))
            .or(() -> openApi.answer(exchange, path, registry.now()));
    exchange.respond(
        response.orElseGet(
            () -> Response.of(404, "text/plain; charset=utf-8", ServerPaths.NOT_FOUND)));
  }

  private static void respond(Exchange exchange, Status status) {
    Headers headers =
        Headers.of("Content-Type", "application/json").with("Cache-Control", "no-cache, private");
    Status.Details details = status.details();
    if (details != null && details.retryAfterSeconds() > 0) {
      headers = headers.with("Retry-After", Long.toString(details.retryAfterSeconds()));
    }
    exchange.respond(
        new Response(status.code(), headers, List.of(JsonWriter.toBytes(status.toTree()))));
  }

  @Override
  public void close() {
    watches.close();
  }
}
