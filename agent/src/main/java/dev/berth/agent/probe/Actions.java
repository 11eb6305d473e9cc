package dev.berth.agent.probe;

import dev.berth.agent.environment.Expansion;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * What probes and hooks can do to a container: run a command, ask for a page, connect, ask for its
 * health. Lives on a loop; what blocks goes beside it, and is cut off when its time is up.
 */
final class Actions {
  private final ContainerCalls calls;
  private final ExecRunner exec;
  private final Connections connections;

  Actions(ContainerCalls calls, ExecRunner exec, Connections connections) {
    this.calls = calls;
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
        calls.call(
            target.id(), timeout, cutoff -> connections.tcp(host, port.getAsInt(), cutoff), then);
      }
    } else if (action.has("grpc")) {
      JsonObject grpc = action.object("grpc");
      int port = (int) grpc.integer("port").orElse(0);
      String service = grpc.text("service", "");
      calls.call(
          target.id(),
          timeout,
          cutoff -> connections.grpc(target.address(), port, service, cutoff),
          then);
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
    HttpGet page = HttpGet.of(get, target.address(), port.getAsInt(), manner);
    calls.call(target.id(), manner.timeout(), cutoff -> ask(page, manner, cutoff), then);
  }

  /** Beside the loop. */
  private Outcome ask(HttpGet page, Manner manner, Cutoff cutoff) {
    HttpAnswer answer = connections.httpGet(page, cutoff);
    if (manner.anyAnswerWillDo() && answer instanceof HttpAnswer.WithoutTls) {
      return askWithoutTls(page, answer, cutoff);
    }
    return manner.anyAnswerWillDo() ? told(answer) : judge(answer);
  }

  /** Hooks that say HTTPS to servers without it worked once, and so they go on to work. */
  private Outcome askWithoutTls(HttpGet page, HttpAnswer first, Cutoff cutoff) {
    return switch (connections.httpGet(page.withoutTls(), cutoff)) {
      case HttpAnswer.Answered _, HttpAnswer.BrokenOff _ ->
          Outcome.warning(
              "request to HTTPS lifecycle hook %s got HTTP response, retry with HTTP succeeded"
                  .formatted(page.address().authority()));
      case HttpAnswer.Unanswered _, HttpAnswer.WithoutTls _ -> told(first);
    };
  }

  private static Outcome told(HttpAnswer answer) {
    return switch (answer) {
      case HttpAnswer.Answered _, HttpAnswer.BrokenOff _ -> Outcome.success("");
      case HttpAnswer.Unanswered(String why) -> Outcome.failure(why);
      case HttpAnswer.WithoutTls(String why) -> Outcome.failure(why);
    };
  }

  private static Outcome judge(HttpAnswer answer) {
    return switch (answer) {
      case HttpAnswer.Answered(int status, String body) when status >= 300 && status < 400 ->
          Outcome.warning("Probe terminated redirects, Response body: " + body);
      case HttpAnswer.Answered(int status, String body) when status >= 200 && status < 300 ->
          Outcome.success(body);
      // Without the body, which may hold what not everybody who sees events may see.
      case HttpAnswer.Answered(int status, _) ->
          Outcome.failure("HTTP probe failed with statuscode: " + status);
      case HttpAnswer.Unanswered(String why) -> Outcome.failure(why);
      case HttpAnswer.WithoutTls(String why) -> Outcome.failure(why);
      case HttpAnswer.BrokenOff(String why) -> new Outcome(Outcome.Kind.BROKEN_OFF, why);
    };
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
}
