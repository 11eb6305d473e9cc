package dev.berth.grpc.etcd;

import dev.berth.store.etcd.EtcdConnector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Members of a real etcd: processes on ports of 127.0.0.1 that nobody used, with directories of
 * their own. They end with the test.
 */
public final class EtcdProcess implements AutoCloseable {

  private record Member(String name, int client, int peer, Path directory) {}

  private final List<Member> members = new ArrayList<>();
  private final List<@Nullable Process> processes = new ArrayList<>();
  private final Tls tls;
  private final List<String> options;

  /** How members and clients prove who they are; each file is PEM. */
  public record Tls(Optional<Path> authority, Path certificate, Path key) {
    static final Tls NONE = new Tls(Optional.empty(), Path.of(""), Path.of(""));
  }

  private EtcdProcess(Path directory, int count, Tls tls, List<String> options) {
    this.tls = tls;
    this.options = List.copyOf(options);
    for (int i = 0; i < count; i++) {
      members.add(new Member("m" + i, freePort(), freePort(), directory.resolve("m" + i)));
      processes.add(null);
    }
    for (int i = 0; i < count; i++) {
      start(i);
    }
  }

  public static EtcdProcess start(Path directory, int count) {
    return new EtcdProcess(directory, count, Tls.NONE, List.of());
  }

  /** With further options of etcd. */
  public static EtcdProcess start(Path directory, int count, List<String> options) {
    return new EtcdProcess(directory, count, Tls.NONE, options);
  }

  public static EtcdProcess start(Path directory, int count, Tls tls) {
    return new EtcdProcess(directory, count, tls, List.of());
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String scheme() {
    return tls.authority().isPresent() ? "https" : "http";
  }

  /** Starts a member, with what its directory holds. */
  public void start(int index) {
    Member member = members.get(index);
    String own = scheme() + "://127.0.0.1:" + member.client;
    String peer = "http://127.0.0.1:" + member.peer;
    var command =
        new ArrayList<>(
            List.of(
                "etcd",
                "--name",
                member.name,
                "--data-dir",
                member.directory.toString(),
                "--listen-client-urls",
                own,
                "--advertise-client-urls",
                own,
                "--listen-peer-urls",
                peer,
                "--initial-advertise-peer-urls",
                peer,
                "--initial-cluster",
                members.stream()
                    .map(each -> each.name + "=http://127.0.0.1:" + each.peer)
                    .collect(Collectors.joining(",")),
                "--log-level",
                "error",
                "--logger",
                "zap"));
    command.addAll(options);
    tls.authority()
        .ifPresent(authority ->
            command.addAll(
                List.of(
                    "--client-cert-auth",
                    "--trusted-ca-file",
                    authority.toString(),
                    "--cert-file",
                    tls.certificate().toString(),
                    "--key-file",
                    tls.key().toString())));
    try {
      processes.set(
          index,
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(
                  ProcessBuilder.Redirect.appendTo(
                      member.directory.resolveSibling(member.name + ".log").toFile()))
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends a member as a crash does. */
  public void kill(int index) throws InterruptedException {
    Process process = process(index);
    process.destroyForcibly();
    process.waitFor();
  }

  /** Stops or continues a member, which notices nothing but the time. */
  public void signal(int index, String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process(index).pid()))
        .inheritIO()
        .start()
        .waitFor();
    if (name.equals("STOP")) {
      awaitStopped(Path.of("/proc", Long.toString(process(index).pid()), "task"));
    }
  }

  /** A process stops thread by thread, some of them after the signal was sent. */
  private static void awaitStopped(Path threads) throws IOException {
    boolean stopped;
    do {
      Thread.onSpinWait();
      try (Stream<Path> all = Files.list(threads)) {
        stopped = all.allMatch(EtcdProcess::isStopped);
      }
    } while (!stopped);
  }

  private static boolean isStopped(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    } catch (NoSuchFileException _) {
      return true; // The thread has ended.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Process process(int index) {
    Process process = processes.get(index);
    if (process == null) {
      throw new IllegalStateException("member " + index + " was not started");
    }
    return process;
  }

  public List<URI> endpoints() {
    return members.stream()
        .map(member -> URI.create(scheme() + "://127.0.0.1:" + member.client))
        .toList();
  }

  /** Where the members are, for a client that shows nothing of itself. */
  public EtcdConnector.Servers servers() {
    return new EtcdConnector.Servers(endpoints(), List.of(), Optional.empty());
  }

  @Override
  public void close() {
    for (Process process : processes) {
      if (process != null) {
        process.destroyForcibly();
        try {
          process.waitFor();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }
}
