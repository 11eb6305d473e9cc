package dev.berth.cli.machines;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Three machines with a server and a member of etcd each, made by {@code examples/three-servers}:
 * what a user does with them, and what befalls them.
 *
 * @param folder where the script keeps them
 */
record EtcdHosts(Path folder) {
  static final List<String> NAMES = List.of("a", "b", "c");
  private static final Path SCRIPT =
      Path.of(System.getProperty("berth.root", ".."), "examples", "three-servers");

  /** What the script says that succeeds; {@code BERTH} is this build. */
  String script(List<String> environment, String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("env"));
    command.add("THREE_SERVERS=" + folder);
    command.add("BERTH=" + program());
    command.addAll(environment);
    command.add(SCRIPT.toAbsolutePath().normalize().toString());
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new AssertionError("%s: %s".formatted(String.join(" ", words), said));
    }
    return said;
  }

  String script(String... words) throws IOException {
    return script(List.of("NODES="), words);
  }

  /** Beside the folder, which the script makes. */
  private Path program() {
    return folder.resolveSibling(folder.getFileName() + "-berth");
  }

  /** Writes a program that starts the Berth of this build. */
  void writeProgram(List<String> command) throws IOException {
    StringBuilder text = new StringBuilder("#!/bin/sh\nexec");
    command.forEach(word -> text.append(" '").append(word).append('\''));
    Files.writeString(program(), text.append(" \"$@\"\n"));
    if (!program().toFile().setExecutable(true)) {
      throw new IOException(program() + " cannot be made executable");
    }
  }

  Path kubeconfig(String host) {
    return folder.resolve(host).resolve("data/admin.kubeconfig");
  }

  String address(String host) {
    return "10.198.0." + (11 + NAMES.indexOf(host));
  }

  /** Stops or continues a member or a server, which notices nothing but the time. */
  void signal(String host, String file, String signal) throws IOException {
    String pid = Files.readAllLines(folder.resolve(host).resolve(file)).getFirst();
    Process kill = new ProcessBuilder("kill", "-" + signal, pid).inheritIO().start();
    kill.onExit().join();
  }

  /** What etcdctl says, asking one member. */
  String etcdctl(String host, String... words) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "enter",
                "lan",
                "env",
                "ETCDCTL_API=3",
                "etcdctl",
                "--endpoints=https://%s:2379".formatted(address(host)),
                "--cacert=" + folder.resolve("certs/ca.crt"),
                "--cert=" + folder.resolve("certs/client.crt"),
                "--key=" + folder.resolve("certs/client.key")));
    command.addAll(List.of(words));
    return script(command.toArray(String[]::new));
  }
}
