package dev.berth.serving.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.access.AccessControl;
import dev.berth.access.Action;
import dev.berth.access.Requester;
import dev.berth.client.ApiError;
import dev.berth.client.ApiWatch;
import dev.berth.http.BodyTooLargeException;
import dev.berth.http.ClientGoneException;
import dev.berth.http.Exchange;
import dev.berth.http.Handler;
import dev.berth.http.Headers;
import dev.berth.http.Response;
import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.user.User;
import dev.berth.registry.ObjectWatch;
import dev.berth.registry.Registry;
import dev.berth.registry.WatchOptions;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.Status;
import dev.berth.registry.status.StatusException;
import dev.berth.serving.aggregation.Aggregation;
import dev.berth.serving.aggregation.RemoteApiConnector;
import dev.berth.serving.connect.NodeLinks;
import dev.berth.serving.flowcontrol.FlowControl;
import dev.berth.serving.flowcontrol.FlowControl.Admission;
import dev.berth.serving.flowcontrol.FlowControl.FlowRequest;
import dev.berth.serving.flowcontrol.FlowControl.Seat;
import dev.berth.serving.local.LocalExchange;
import dev.berth.serving.local.LocalWatch;
import dev.berth.serving.observe.Observed;
import dev.berth.serving.observe.Observers;
import dev.berth.serving.request.Query;
import dev.berth.serving.request.Representation;
import dev.berth.serving.request.RequestKinds;
import dev.berth.serving.request.RequestPath;
import dev.berth.serving.wire.EntityTag;
import dev.berth.serving.wire.WireFormat;
import dev.berth.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers all requests: authenticates the sender, parses the request, authorizes it, and passes it
 * to its endpoint. Whatever is refused on the way becomes a {@code Status}.
 */
public final class ApiHandler implements Handler, AutoCloseable {
  /** The codes of answers that the server gives where we gave none. */
  private static final int CLIENT_GONE = 408;

  private static final int OK = 200;
  private static final int TOO_LARGE = 413;
  private static final int BUG = 500;

  /** How long a component in this process waits for another server to begin an answer. */
  private static final Duration LOCAL_PATIENCE = Duration.ofSeconds(30);

  private static final int TOO_MANY_REQUESTS = 429;
  private static final byte[] TOO_MANY_REQUESTS_TEXT =
      "Too many requests, please try again later.\n".getBytes(UTF_8);

  private final Registry registry;
  private final AccessControl access;
  private final ObjectEndpoint objects;
  private final PatchEndpoint patches;
  private final ListEndpoint lists;
  private final WatchEndpoint watches;
  private final SubresourceEndpoints parts;
  private final ServedApi served;
  private final UsageEndpoint usage;
  private final ComponentStatusEndpoint componentStatuses;
  private final PodBinding bindings;
  private final ServerPaths serverPaths;
  private final Observers observers;
  private final RequestDeadlines deadlines;
  private final Optional<AccessEndpoints> accessEndpoints;
  private final FlowControl flow;
  private final Aggregation aggregation;
  private final LeaderRequests leaders;

  /** Everybody is let in at once. */
  public ApiHandler(
      Registry registry,
      AccessControl access,
      Observers observers,
      ServerPaths serverPaths,
      Optional<AccessEndpoints> accessEndpoints) {
    this(
        registry,
        access,
        observers,
        serverPaths,
        accessEndpoints,
        FlowControl.NONE,
        NodeLinks.NONE,
        new Aggregation(registry, RemoteApiConnector.NONE));
  }

  /**
   * @param accessEndpoints tokens and reviews, for whoever needs them
   * @param flow lets requests from the network in; those of components in this process do not wait:
   *     they are few, they are what keeps the cluster going, and their loops must not block
   * @param nodes how nodes are reached, for logs, commands and proxies
   * @param aggregation the groups that other servers answer for
   */
  public ApiHandler(
      Registry registry,
      AccessControl access,
      Observers observers,
      ServerPaths serverPaths,
      Optional<AccessEndpoints> accessEndpoints,
      FlowControl flow,
      NodeLinks nodes,
      Aggregation aggregation) {
    this.registry = registry;
    this.flow = flow;
    this.aggregation = aggregation;
    this.leaders = new LeaderRequests(registry);
    this.access = access;
    this.accessEndpoints = accessEndpoints;
    CreatePermission creation = new CreatePermission(access);
    this.objects = new ObjectEndpoint(registry, creation);
    this.patches = new PatchEndpoint(registry, creation);
    this.lists = new ListEndpoint(registry);
    this.watches = new WatchEndpoint(registry);
    this.parts = new SubresourceEndpoints(registry, access, patches, nodes.connector());
    this.served =
        new ServedApi(
            registry::catalog,
            aggregation,
            catalog ->
                aggregation.with(nodes.servesUsage() ? UsageEndpoint.with(catalog) : catalog));
    this.usage = new UsageEndpoint(registry, nodes.connector());
    this.serverPaths = serverPaths;
    this.componentStatuses = new ComponentStatusEndpoint(registry, serverPaths::checks);
    this.bindings = new PodBinding(registry);
    this.observers = observers;
    this.deadlines =
        new RequestDeadlines(
            registry.time(), (request, status) -> request.expire(response(request, status)));
  }

  /** Serves documents about the process, from now on. */
  public void serve(DebugPages pages) {
    serverPaths.serve(pages);
  }

  @Override
  public void handle(Exchange exchange) throws Exception {
    Observed request = observers.begin(exchange);
    try {
      answer(request);
    } catch (StatusException | StoreException e) {
      respond(request, status(e));
    } catch (ClientGoneException e) {
      request.failed(CLIENT_GONE);
      throwUnlessExpired(request, e);
    } catch (BodyTooLargeException e) {
      request.failed(TOO_LARGE);
      throwUnlessExpired(request, e);
    } finally {
      deadlines.end(request);
      // What comes here without an answer is a bug, and the server answers for it.
      request.failed(BUG);
      observers.end(request);
    }
  }

  /** What goes wrong after a request was answered for being late concerns nobody. */
  private static void throwUnlessExpired(Observed request, RuntimeException e) {
    if (!request.isExpired()) {
      throw e;
    }
  }

  /** Answers a component in this process, which gives and takes trees. */
  void handle(LocalExchange local) throws InterruptedException {
    Observed request = observers.begin(local);
    try {
      switch (local.target()) {
        case RequestPath.OfResource path -> answerLocal(request, local, path);
        case RequestPath.Other(String path) -> discover(request, local, path);
      }
    } catch (StatusException | StoreException e) {
      Status status = status(e);
      request.answered(status.code());
      local.answer(status.code(), status.toTree());
    } finally {
      request.failed(BUG);
      observers.end(request);
    }
  }

  private void answerLocal(Observed request, LocalExchange local, RequestPath.OfResource path)
      throws InterruptedException {
    check(request, local, path);
    leaders.answer(
        local,
        local.verb(),
        () -> {
          if (!aggregation.forward(request, local.user(), LOCAL_PATIENCE)) {
            answerCall(local.verb(), call(request, local, path));
          }
          return null;
        });
  }

  /** Begins a watch for a component in this process, which is told when there may be news. */
  ApiWatch watch(LocalExchange local, Runnable onReady) {
    Observed request = observers.begin(local);
    try {
      if (!(local.target() instanceof RequestPath.OfResource path)) {
        throw Failures.noSuchResource();
      }
      check(request, local, path);
      Call call = call(request, local, path);
      WatchOptions options = Selections.watch(call);
      Selections.awaitRecent(call, registry);
      ObjectWatch watch = registry.watch(call.resource(), options, onReady);
      request.watching();
      Runnable forget = request.action().map(flow::watching).orElse(() -> {});
      return new LocalWatch(
          call.resource(),
          watch,
          () -> {
            forget.run();
            observers.end(request);
          });
    } catch (StatusException | StoreException e) {
      Status status = status(e);
      request.answered(status.code());
      observers.end(request);
      return LocalWatch.refused(ApiError.of(status.code(), status.toTree()));
    }
  }

  /** A component in this process has proved who it is by being there; all else is checked. */
  private void check(Observed request, LocalExchange local, RequestPath.OfResource path) {
    Action action = RequestedAction.on(local.verb(), path, local.parameters());
    request.wants(action, path.version().version());
    request.identified(local.user());
    request.allowed(access.check(local.user(), action));
  }

  private Call call(Observed request, LocalExchange local, RequestPath.OfResource path) {
    return call(request, path, local.verb(), local.parameters(), Requester.of(local.user()), local);
  }

  /** Of the paths that are no objects', those of discovery are all that a component reads. */
  private void discover(Observed request, LocalExchange local, String path) {
    Action action = new Action.OnPath(local.verb(), path);
    request.wants(action, "");
    request.identified(local.user());
    request.allowed(access.check(local.user(), action));
    JsonObject document =
        served.now().discovery().document(path).orElseThrow(Failures::noSuchResource);
    request.answered(OK);
    request.bodies().answered(OK, document);
    local.answer(OK, document);
  }

  private static Status status(RuntimeException e) {
    return e instanceof StatusException refused
        ? refused.status()
        : Failures.internal(String.valueOf(e.getMessage())).status();
  }

  private void answer(Observed exchange) throws InterruptedException {
    Optional<String> watched =
        exchange.method().equals("GET") ? RequestPath.watched(exchange.path()) : Optional.empty();
    Query sent = Query.of(exchange.query());
    Query query = watched.isPresent() ? sent.with("watch", "true") : sent;
    RequestPath target = RequestPath.parse(watched.orElseGet(exchange::path));
    Action action = action(exchange.method(), target, query);
    boolean isLong = RequestKinds.isWatch(action) || RequestKinds.isLongRunning(action);
    Duration limit = isLong ? RequestDeadlines.LONGEST : deadlines.begin(exchange, query);
    exchange.wants(
        action, target instanceof RequestPath.OfResource of ? of.version().version() : "");
    User sender = access.identify(exchange);
    exchange.identified(sender);
    if (!sender.equals(User.ANONYMOUS)) {
      exchange.markAuthenticated();
    }
    Requester requester = access.requester(exchange, sender, action);
    requester.actingFor().ifPresent(other -> exchange.impersonating(other, requester.constraint()));
    FlowRequest asking =
        new FlowRequest(requester.user(), action, query, exchange.receivedMonotonic(), limit);
    Admission admission = flow.admit(asking);
    admission.headers().forEach(exchange::answerWith);
    switch (admission) {
      case Admission.Rejected(long seconds, var _) -> exchange.respond(tooManyRequests(seconds));
      case Admission.Admitted(Seat seat, var _) -> {
        try (seat) {
          exchange.onWatchInitialized(seat::initialized);
          exchange.allowed(access.check(requester.user(), action));
          leaders.answer(
              exchange,
              action.verb(),
              () -> {
                answerAllowed(exchange, target, action, query, requester);
                return null;
              });
        }
      }
    }
  }

  /** Plain text, as in Kubernetes: who is overloaded does not ask what the client would like. */
  private static Response tooManyRequests(long retryAfterSeconds) {
    Headers headers =
        Headers.of("Content-Type", "text/plain; charset=utf-8")
            .with("X-Content-Type-Options", "nosniff")
            .with("Retry-After", Long.toString(retryAfterSeconds));
    return new Response(TOO_MANY_REQUESTS, headers, List.of(TOO_MANY_REQUESTS_TEXT));
  }

  private void answerAllowed(
      Observed exchange, RequestPath target, Action action, Query query, Requester requester)
      throws InterruptedException {
    if (aggregation.forward(exchange, requester.user(), Duration.ZERO)) {
      return;
    }
    switch (target) {
      case RequestPath.Other(String path) -> answerPath(exchange, path, query);
      case RequestPath.OfResource path when !isServed(path.version().group()) ->
          exchange.respond(pageNotFound());
      case RequestPath.OfResource path -> {
        String verb = action.verb();
        Call call = call(exchange, path, verb, query, requester, null);
        try {
          answerCall(verb, call);
        } catch (StatusException | StoreException e) {
          exchange.respond(call.warned(response(exchange, status(e))));
        }
      }
    }
  }

  private Call call(
      Observed exchange,
      RequestPath.OfResource path,
      String verb,
      Query query,
      Requester requester,
      @Nullable LocalExchange local) {
    Resource resource =
        served
            .now()
            .all()
            .find(path.version().resource(path.resource()))
            .orElseThrow(Failures::noSuchResource);
    checkPlace(resource, path, verb);
    Call call = new Call(exchange, path, resource, query, requester, local);
    resource.deprecation().ifPresent(call::warn);
    return call;
  }

  private static Action action(String method, RequestPath target, Query query) {
    return switch (target) {
      case RequestPath.Other(String path) ->
          new Action.OnPath(method.toLowerCase(Locale.ROOT), path);
      case RequestPath.OfResource path ->
          RequestedAction.on(verb(method, path, query), path, query);
    };
  }

  /** What the method means for this path; nothing if only proxies know it. */
  private static String verb(String method, RequestPath.OfResource path, Query query) {
    boolean one = !path.name().isEmpty();
    return switch (method) {
      case "GET", "HEAD" ->
          query.flag("watch") && path.subresource().isEmpty() ? "watch" : one ? "get" : "list";
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> one ? "delete" : "deletecollection";
      case "OPTIONS" -> "";
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
            case "deletecollection" -> resource.isNamespaced() && !namesNamespace;
            default -> false;
          };
      if (wrongPlace || !resource.verbs().contains(verb)) {
        throw Failures.methodNotAllowed();
      }
      return;
    }
    Optional<Subresource> subresource = SubresourceEndpoints.find(resource, path.subresource());
    if (subresource.isEmpty()) {
      throw resource.custom().isPresent()
          ? Failures.notFound(resource.groupResource(), path.name())
          : Failures.noSuchResource();
    }
    if (!subresource.get().allows(verb)) {
      throw resource.custom().isPresent()
          ? Failures.methodNotSupported(resource.groupResource(), verb)
          : Failures.methodNotAllowed();
    }
  }

  private void answerCall(String verb, Call call) throws InterruptedException {
    if (!call.subresource().isEmpty() && parts.answer(verb, call)) {
      return;
    }
    if (call.resource().kind().group().equals(UsageEndpoint.GROUP)) {
      usage.answer(call);
      return;
    }
    if (ComponentStatusEndpoint.answers(call.resource())) {
      componentStatuses.answer(call);
      return;
    }
    if (PodBinding.answers(call.resource())) {
      bindings.bindNamed(call);
      return;
    }
    if (!call.resource().isStored() || call.subresource().equals("token")) {
      accessEndpoints.orElseThrow(Failures::noSuchResource).answer(call, registry);
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

  /** Whether there is anything of a group. */
  private boolean isServed(String group) {
    for (GroupVersion version : served.now().all().versions()) {
      if (version.group().equals(group)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a path belongs to a group, whatever it is: its errors are those of the API. */
  private boolean isOfGroup(String path) {
    String[] steps = path.split("/", 4);
    boolean core = steps.length > 2 && steps[1].equals("api") && !steps[2].isEmpty();
    return core || (steps.length > 3 && steps[1].equals("apis") && isServed(steps[2]));
  }

  private static Response pageNotFound() {
    return Response.of(404, "text/plain; charset=utf-8", ServerPaths.NOT_FOUND);
  }

  private void answerPath(Exchange exchange, String path, Query query) {
    if (!exchange.method().equals("GET")) {
      throw Failures.methodNotAllowed();
    }
    Optional<Response> response =
        serverPaths
            .answer(path, query, exchange.headers("Accept"))
            .or(() -> accessEndpoints.flatMap(endpoints -> endpoints.answer(path)))
            .or(() ->
                served
                    .now()
                    .discovery()
                    .answer(path, exchange.headers("Accept"))
                    .map(found -> inFormat(exchange, path, EntityTag.unlessKnown(exchange, found))))
            .or(() -> served.now().openApi().answer(exchange, path, registry.now()));
    if (response.isEmpty() && isOfGroup(path)) {
      throw Failures.noSuchResource();
    }
    exchange.respond(response.orElseGet(ApiHandler::pageNotFound));
  }

  /** A document of discovery, which is JSON, in the format that the client wants. */
  private static Response inFormat(Exchange exchange, String path, Response found) {
    WireFormat format = Representation.format(exchange.headers("Accept"));
    boolean plain =
        found.headers().fields().stream()
            .anyMatch(field -> field.value().equals(WireFormat.JSON.mediaType()));
    if (format == WireFormat.JSON || !plain || !path.startsWith("/api")) {
      return found;
    }
    JsonObject document = JsonReader.object(found.body().getFirst(), JsonLimits.TRUSTED);
    byte[] bytes = format.bytes(document.with("apiVersion", "v1"));
    return Response.of(found.status(), format.mediaType(), bytes);
  }

  private static void respond(Exchange exchange, Status status) {
    exchange.respond(response(exchange, status));
  }

  private static Response response(Exchange exchange, Status status) {
    WireFormat format = Representation.format(exchange.headers("Accept"));
    Headers headers =
        Headers.of("Content-Type", format.mediaType()).with("Cache-Control", "no-cache, private");
    Status.Details details = status.details();
    if (details != null && details.retryAfterSeconds() > 0) {
      headers = headers.with("Retry-After", Long.toString(details.retryAfterSeconds()));
    }
    return new Response(status.code(), headers, List.of(format.bytes(status.toTree())));
  }

  @Override
  public void close() {
    watches.close();
    deadlines.close();
  }
}
