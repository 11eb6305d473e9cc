package dev.berth.agent.probe;

import dev.berth.agent.environment.Expansion;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What probes and hooks can do to a container: run a command, ask for a page, connect, ask for its
 * health. Lives on a loop; what blocks goes beside it.
 */
final class Actions {
  private static final Duration SOON = Duration.ofMillis(100);

  private final Loop loop;
  private final ExecRunner exec;
  private final Connections connections;

  Actions(Loop loop, ExecRunner exec, Connections connections) {
    this.loop = loop;
    this.exec = exec;
    this.connections = connections;
  }

  /**
   * Does what a probe or a hook says.
   *
   * @param then gets what came of it, on the loop
   */
  void run(JsonObject action, ContainerTarget target, Manner manner, Consumer<Outcome> then) {
    Duration timeout = manner.timeout();
    if (action.has("exec")) {
      List<String> command = action.object("exec").array("command").texts();
      exec.run(target.id(), expanded(command, target.container()), timeout, then);
    } else if (action.has("httpGet")) {
      httpGet(action.object("httpGet"), target, manner, then);
    } else if (action.has("tcpSocket")) {
      JsonObject socket = action.object("tcpSocket");
      String host = socket.text("host", target.address());
      OptionalInt port = port(socket, target.container());
      if (port.isEmpty()) {
        then.accept(invalidPort(socket));
      } else {
        call(() -> connections.tcp(host, port.getAsInt(), timeout), then);
      }
    } else if (action.has("grpc")) {
      JsonObject grpc = action.object("grpc");
      int port = (int) grpc.integer("port").orElse(0);
      String service = grpc.text("service", "");
      call(() -> connections.grpc(target.address(), port, service, timeout), then);
    } else {
      Metadata pod = Metadata.of(target.pod());
      then.accept(
          Outcome.error(
              "missing probe handler for %s_%s(%s):%s"
                  .formatted(
                      pod.name(),
                      pod.namespace(),
                      pod.uid(),
                      target.container().text("name", ""))));
    }
  }

  /** With the variables that stand in the specification; others are not known here. */
  private static List<String> expanded(List<String> command, JsonObject container) {
    Map<String, String> variables = new HashMap<>();
    for (JsonObject variable : container.array("env").objects()) {
      if (variable.has("value")) {
        variables.put(variable.text("name", ""), variable.text("value", ""));
      }
    }
    return command.stream().map(word -> Expansion.expand(word, variables)).toList();
  }

  private void httpGet(
      JsonObject get, ContainerTarget target, Manner manner, Consumer<Outcome> then) {
    OptionalInt port = port(get, target.container());
    if (port.isEmpty()) {
      then.accept(invalidPort(get));
      return;
    }
    Optional<URI> address = address(get, target.address(), port.getAsInt());
    if (address.isEmpty()) {
      then.accept(Outcome.error("invalid path \"" + get.text("path", "") + "\""));
      return;
    }
    List<Connections.Header> headers = new ArrayList<>();
    for (JsonObject header : get.array("httpHeaders").objects()) {
      headers.add(new Connections.Header(header.text("name", ""), header.text("value", "")));
    }
    addUnlessGiven(headers, "User-Agent", manner.agent());
    addUnlessGiven(headers, "Accept", "*/*");
    call(() -> judge(connections.httpGet(address.get(), headers, manner.timeout()), manner), then);
  }

  private static Outcome judge(Connections.HttpAnswer answer, Manner manner) {
    int status = answer.status();
    if (status == 0) {
      return Outcome.failure(answer.message());
    }
    return manner.anyAnswerWillDo() || (status >= 200 && status < 400)
        ? Outcome.success("")
        : Outcome.failure("HTTP probe failed with statuscode: " + status);
  }

  private static void addUnlessGiven(List<Connections.Header> headers, String name, String value) {
    if (headers.stream().noneMatch(header -> header.name().equalsIgnoreCase(name))) {
      headers.add(new Connections.Header(name, value));
    }
  }

  private static Optional<URI> address(JsonObject get, String podAddress, int port) {
    String host = get.text("host", podAddress);
    String path = get.text("path", "");
    try {
      return Optional.of(
          new URI(
              "%s://%s:%d%s%s"
                  .formatted(
                      get.text("scheme", "HTTP").toLowerCase(Locale.ROOT),
                      host.contains(":") ? "[" + host + "]" : host,
                      port,
                      path.startsWith("/") ? "" : "/",
                      path)));
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  /** A port by its number, or by its name among the container's. */
  private static OptionalInt port(JsonObject action, JsonObject container) {
    return switch (action.get("port")) {
      case Long number -> valid(number);
      case String name -> named(name, container);
      case null, default -> OptionalInt.empty();
    };
  }

  private static OptionalInt named(String name, JsonObject container) {
    for (JsonObject port : container.array("ports").objects()) {
      if (port.text("name", "").equals(name)) {
        return valid(port.integer("containerPort").orElse(0));
      }
    }
    return name.matches("[0-9]{1,5}") ? valid(Long.parseLong(name)) : OptionalInt.empty();
  }

  private static OptionalInt valid(long port) {
    return port > 0 && port < 65536 ? OptionalInt.of((int) port) : OptionalInt.empty();
  }

  private static Outcome invalidPort(JsonObject action) {
    return Outcome.error("invalid port: " + action.get("port"));
  }

  private void call(Supplier<Outcome> work, Consumer<Outcome> then) {
    if (!loop.call(work, then)) {
      loop.after(SOON, () -> call(work, then));
    }
  }
}
