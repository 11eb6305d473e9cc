package dev.berth.agent.server;

import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.ExecSpec;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.Session;
import dev.berth.http.Exchange;
import dev.berth.http.Response;
import dev.berth.http.Upgrades;
import dev.berth.http.websocket.WebSocketHandshake;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs commands in containers, and attaches to them, for clients from afar. */
final class RemoteCommands {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteCommands.class);
  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int INTERNAL_ERROR = 500;

  /** What a command that is run without streams may say. */
  private static final int MAX_RUN_BYTES = 4 * 1024 * 1024;

  private final ContainerRuntime runtime;
  private final FoundPods pods;
  private final Sessions sessions;
  private final SessionTimers timers;

  RemoteCommands(
      ContainerRuntime runtime, FoundPods pods, Sessions sessions, SessionTimers timers) {
    this.runtime = runtime;
    this.pods = pods;
    this.sessions = sessions;
    this.timers = timers;
  }

  /** Begins a session with a container. */
  @FunctionalInterface
  private interface Start {
    Session in(String containerId) throws RuntimeFailure;
  }

  void exec(Exchange exchange, PodPath path, NodeQuery query) throws Refusal {
    CommandOptions options = CommandOptions.of(query);
    List<String> command = query.all("command");
    if (command.isEmpty()) {
      throw new Refusal(BAD_REQUEST, "you must specify a command");
    }
    ExecSpec spec = new ExecSpec(command, options.stdin(), options.tty());
    serve(exchange, path, options, id -> runtime.exec(id, spec));
  }

  void attach(Exchange exchange, PodPath path, NodeQuery query) throws Refusal {
    CommandOptions options = CommandOptions.of(query);
    serve(exchange, path, options, id -> new AttachedSession(runtime.attach(id, options.stdin())));
  }

  private void serve(Exchange exchange, PodPath path, CommandOptions options, Start start)
      throws Refusal {
    ContainerStatus container = pods.running(path);
    if (!Upgrades.isRequested(exchange)) {
      throw new Refusal(BAD_REQUEST, "Upgrade request required");
    }
    try (Sessions.Place _ = sessions.begin();
        CommandStreams streams =
            WebSocketHandshake.isRequested(exchange)
                ? WebSocketCommand.accept(exchange, options)
                : SpdyCommand.accept(exchange, options, timers)) {
      if (streams.isGone()) {
        return;
      }
      CommandStatus status = run(streams, options, container, start);
      try {
        streams.finish(status);
        var tooLate = timers.after(SessionTimers.FAREWELL, streams::close);
        streams.awaitGone();
        tooLate.cancel();
      } catch (IOException e) {
        LOG.debug("the client of a command in {} has gone: {}", path.pod(), e.getMessage());
      }
    }
  }

  private static CommandStatus run(
      CommandStreams streams, CommandOptions options, ContainerStatus container, Start start) {
    try (Session session = start.in(container.id())) {
      return new CommandSession(session, streams, options).run();
    } catch (RuntimeFailure e) {
      // The client may already send input; it must be read for its end to be noticed.
      streams.begin(CommandSession.NOBODY);
      return new CommandStatus.Failed("error executing command in container: " + e.getMessage());
    }
  }

  /** Runs a command without input, and answers with what it says. */
  void run(Exchange exchange, PodPath path, NodeQuery query) throws Refusal, InterruptedException {
    ContainerStatus container = pods.running(path);
    List<String> command = List.of(query.text("cmd").split(" ", -1));
    try (Sessions.Place _ = sessions.begin();
        Session session = runtime.exec(container.id(), new ExecSpec(command, false, false))) {
      Thread errors = Thread.ofVirtual().name("run-stderr").start(() -> discard(session.stderr()));
      ByteArrayOutputStream output = new ByteArrayOutputStream();
      InputStream stdout = session.stdout();
      output.writeBytes(stdout.readNBytes(MAX_RUN_BYTES));
      discard(stdout);
      Waiting.uninterruptibly(errors);
      int code = session.waitFor();
      if (code != 0) {
        throw new Refusal(INTERNAL_ERROR, "command terminated with exit code " + code);
      }
      exchange.respond(Response.of(OK, "application/json", output.toByteArray()));
    } catch (RuntimeFailure | IOException e) {
      throw new Refusal(INTERNAL_ERROR, String.valueOf(e.getMessage()));
    }
  }

  private static void discard(InputStream stream) {
    try {
      stream.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
