package dev.berth.serving.rest;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Target;
import dev.berth.client.UserAgent;
import dev.berth.client.WatchRequest;
import dev.berth.http.FailureListener;
import dev.berth.model.leader.LeaderTerm;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.Status;
import dev.berth.serving.local.LocalExchange;
import dev.berth.serving.local.LocalWatch;
import dev.berth.serving.request.Query;
import dev.berth.serving.request.RequestPath;
import java.util.Map;

/**
 * The API for a component that runs in the server's process. Its requests take the way of all
 * requests, through authorization, admission, the registry, metrics and the audit log, but carry
 * the trees themselves, which readers share with the store.
 */
public final class InProcessApi implements Api {
  private static final String JSON = "application/json";
  private static final String APPLY = "application/apply-patch+yaml";

  private final ApiHandler handler;
  private final LocalExchange.Caller caller;
  private final FailureListener failures;

  /**
   * @param user whose rights count
   * @param component who asks, such as {@code scheduler}; its name goes on the fields that it
   *     writes
   * @param failures is told of bugs in the server, which are answered as they are over HTTP
   */
  public InProcessApi(ApiHandler handler, User user, String component, FailureListener failures) {
    this.handler = handler;
    this.caller = new LocalExchange.Caller(user, UserAgent.of(component), "");
    this.failures = failures;
  }

  @Override
  public ApiResult send(ApiRequest request) {
    LocalExchange exchange = exchange(caller, request);
    handle(exchange);
    return exchange.result();
  }

  private static LocalExchange exchange(LocalExchange.Caller caller, ApiRequest request) {
    return switch (request) {
      case ApiRequest.Get get -> get(caller, get);
      case ApiRequest.Create create ->
          exchange(caller, "create", create.target(), JSON, create.object());
      case ApiRequest.Update update ->
          exchange(caller, "update", update.target(), JSON, update.object());
      case ApiRequest.Patch patch ->
          exchange(caller, "patch", patch.target(), patch.type().mediaType(), patch.patch());
      case ApiRequest.Apply apply -> apply(caller, apply);
      case ApiRequest.Delete delete ->
          exchange(caller, "delete", delete.target(), JSON, delete.options().toTree());
      case ApiRequest.DeleteAll all ->
          exchange(caller, "deletecollection", all.target(), JSON, all.options().toTree());
      case ApiRequest.Discover(String path) ->
          new LocalExchange(
              caller, "get", new RequestPath.Other(path), Query.NONE, JSON, JsonObject.EMPTY);
      case ApiRequest.ByLeader(ApiRequest write, LeaderTerm term) ->
          exchange(caller.leading(term.header()), write);
    };
  }

  private static LocalExchange get(LocalExchange.Caller caller, ApiRequest.Get get) {
    Query query = Query.NONE;
    for (Map.Entry<String, String> parameter : get.parameters().entrySet()) {
      query = query.with(parameter.getKey(), parameter.getValue());
    }
    return new LocalExchange(caller, "get", path(get.target()), query, JSON, JsonObject.EMPTY);
  }

  private static LocalExchange apply(LocalExchange.Caller caller, ApiRequest.Apply apply) {
    Query query =
        Query.NONE
            .with("fieldManager", apply.fieldManager())
            .with("force", apply.force() ? "true" : "");
    return new LocalExchange(
        caller, "patch", path(apply.target()), query, APPLY, apply.configuration());
  }

  private static LocalExchange exchange(
      LocalExchange.Caller caller, String verb, Target target, String contentType, Object sent) {
    return new LocalExchange(caller, verb, path(target), Query.NONE, contentType, sent);
  }

  private static RequestPath.OfResource path(Target target) {
    GroupVersionResource resource = target.resource();
    String name = target.name().name();
    // As on the wire, a namespace is in itself, so that whoever has rights there has them to it.
    boolean namespaces = RequestPath.isNamespaces(resource.group(), resource.resource());
    return new RequestPath.OfResource(
        resource.groupVersion(),
        namespaces ? name : target.name().namespace(),
        resource.resource(),
        name,
        target.subresource());
  }

  @Override
  public ListResult list(ListRequest request) {
    Query query =
        selection(request.labels(), request.fields())
            .with("limit", request.limit() == 0 ? "" : Integer.toString(request.limit()))
            .with("continue", request.continueToken())
            .with("resourceVersion", request.revision())
            .with("resourceVersionMatch", request.revision().isEmpty() ? "" : "NotOlderThan");
    LocalExchange exchange = collection("list", request.resource(), request.namespace(), query);
    handle(exchange);
    return exchange.listed();
  }

  @Override
  public ApiWatch watch(WatchRequest request, Runnable onReady) {
    Query query =
        selection(request.labels(), request.fields())
            .with("watch", "true")
            .with("resourceVersion", request.revision());
    LocalExchange exchange = collection("watch", request.resource(), request.namespace(), query);
    try {
      return handler.watch(exchange, onReady);
    } catch (RuntimeException e) {
      Status status = failed(exchange, e);
      return LocalWatch.refused(ApiError.of(status.code(), status.toTree()));
    }
  }

  private static Query selection(String labels, String fields) {
    return Query.NONE.with("labelSelector", labels).with("fieldSelector", fields);
  }

  private LocalExchange collection(
      String verb, GroupVersionResource resource, String namespace, Query query) {
    return new LocalExchange(
        caller, verb, path(Target.all(resource, namespace)), query, JSON, JsonObject.EMPTY);
  }

  private void handle(LocalExchange exchange) {
    try {
      handler.handle(exchange);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      var _ = failed(exchange, e);
    } catch (RuntimeException e) {
      var _ = failed(exchange, e);
    }
  }

  private Status failed(LocalExchange exchange, Exception cause) {
    failures.onHandlerFailure(exchange.method(), exchange.path(), cause);
    Status status = Failures.internal(String.valueOf(cause.getMessage())).status();
    exchange.answer(status.code(), status.toTree());
    return status;
  }
}
