package dev.berth.agent.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.http.Exchange;
import dev.berth.http.Handler;
import dev.berth.http.Response;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Answers the requests to the node's port, each by its path, once its sender is allowed to. */
final class NodeRoutes implements Handler {
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int INTERNAL_ERROR = 500;

  private static final Set<String> OF_DEBUGGING =
      Set.of("containerLogs", "exec", "attach", "run", "portForward", "logs");

  private final NodeAccess access;
  private final NodePages pages;
  private final Optional<Debugging> debugging;

  /** What can be turned off altogether. */
  record Debugging(
      ContainerLogs logs,
      RemoteCommands commands,
      PortForwards forwards,
      Optional<SystemLogs> systemLogs) {}

  NodeRoutes(NodeAccess access, NodePages pages, Optional<Debugging> debugging) {
    this.access = access;
    this.pages = pages;
    this.debugging = debugging;
  }

  @Override
  public void handle(Exchange exchange) throws Exception {
    try {
      switch (access.check(exchange)) {
        case NodeAccess.Permission.Allowed _ -> answer(exchange);
        case NodeAccess.Permission.Unauthorized _ ->
            throw new Refusal(UNAUTHORIZED, "Unauthorized");
        case NodeAccess.Permission.Forbidden(String message) ->
            throw new Refusal(FORBIDDEN, message);
        case NodeAccess.Permission.Failed(String message) ->
            throw new Refusal(INTERNAL_ERROR, message);
      }
    } catch (Refusal refusal) {
      exchange.respond(text(refusal.status(), refusal.message()));
    }
  }

  static Response text(int status, String text) {
    return Response.of(status, "text/plain; charset=utf-8", text.getBytes(UTF_8));
  }

  private void answer(Exchange exchange) throws Refusal, InterruptedException {
    List<String> path = segments(exchange.path());
    boolean reads = exchange.method().equals("GET");
    NodeQuery query = NodeQuery.of(exchange.query());
    Optional<Response> page = pages.page(exchange.path(), query, exchange.headers("Accept"));
    if (page.isPresent()) {
      if (!reads) {
        throw new Refusal(METHOD_NOT_ALLOWED, "Method Not Allowed");
      }
      exchange.respond(page.get());
      return;
    }
    if (debugging.isEmpty()) {
      throw OF_DEBUGGING.contains(path.getFirst())
          ? new Refusal(METHOD_NOT_ALLOWED, "Debug endpoints are disabled.")
          : new Refusal(NOT_FOUND, "404 page not found");
    }
    Debugging served = debugging.get();
    switch (path.getFirst()) {
      case "containerLogs" -> {
        only(exchange, "GET");
        served.logs().serve(exchange, PodPath.withContainer(path, false), query);
      }
      case "exec" -> {
        only(exchange, "GET", "POST");
        served.commands().exec(exchange, PodPath.withContainer(path, true), query);
      }
      case "attach" -> {
        only(exchange, "GET", "POST");
        served.commands().attach(exchange, PodPath.withContainer(path, true), query);
      }
      case "run" -> {
        only(exchange, "POST");
        served.commands().run(exchange, PodPath.withContainer(path, true), query);
      }
      case "portForward" -> {
        only(exchange, "GET", "POST");
        served.forwards().serve(exchange, PodPath.withoutContainer(path));
      }
      case "logs" -> {
        if (served.systemLogs().isEmpty()) {
          throw new Refusal(METHOD_NOT_ALLOWED, "logs endpoint is disabled.");
        }
        only(exchange, "GET");
        served.systemLogs().get().serve(exchange, path.subList(1, path.size()), query);
      }
      default -> throw new Refusal(NOT_FOUND, "404 page not found");
    }
  }

  private static void only(Exchange exchange, String... methods) throws Refusal {
    if (!List.of(methods).contains(exchange.method())) {
      throw new Refusal(METHOD_NOT_ALLOWED, "Method Not Allowed");
    }
  }

  private static List<String> segments(String path) throws Refusal {
    List<String> parts = new ArrayList<>();
    for (String part : path.substring(path.startsWith("/") ? 1 : 0).split("/", -1)) {
      try {
        parts.add(URLDecoder.decode(part.replace("+", "%2B"), UTF_8));
      } catch (IllegalArgumentException e) {
        throw new Refusal(NOT_FOUND, "404 page not found");
      }
    }
    return parts;
  }
}
