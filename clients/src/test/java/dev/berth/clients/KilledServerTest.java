package dev.berth.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.grpc.etcd.EtcdProcess;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseList;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The server that all clients talk to is killed while they write and watch, and another one on the
 * same etcd takes their connections from then on. They see connections end, and what follows of
 * that; no server tells them of anything else, and nothing is lost.
 */
class KilledServerTest {
  /** Longer than the back-off of every library. */
  private static final long PATIENCE_SECONDS = 300;

  private static final int ROUNDS = 3;

  @TempDir Path directory;

  private Path kubeconfig() {
    return directory.resolve("kubeconfig");
  }

  @Test
  void clientsGoOnAtAnotherServer() throws Exception {
    Path own = Files.createDirectory(directory.resolve("one"));
    try (EtcdProcess etcd = EtcdProcess.start(directory, 1);
        EtcdServer one = EtcdServer.start(own, etcd.endpoints().getFirst());
        EtcdServer other = EtcdServer.start(withKeysOf(own), etcd.endpoints().getFirst());
        Balancer balancer = Balancer.start(one.port(), other.port());
        ExecutorService threads = Executors.newCachedThreadPool()) {
      String text = Files.readString(own.resolve("kubeconfig"));
      Files.writeString(kubeconfig(), text.replaceFirst(":" + one.port(), ":" + balancer.port()));
      List<Callable<Boolean>> clients = new ArrayList<>();
      CyclicBarrier all = new CyclicBarrier(4, one::kill);
      Writers.ThrowingRunnable kill = () -> all.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      clients.add(() -> fabric8(kill));
      clients.add(() -> official(kill));
      clients.add(() -> python(kill));
      clients.add(() -> kubectl(kill));
      List<Future<Boolean>> ends = clients.stream().map(threads::submit).toList();
      for (Future<Boolean> end : ends) {
        assertThat(end.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  private Path withKeysOf(Path one) throws IOException {
    Path pki = Files.createDirectories(directory.resolve("other/pki"));
    try (Stream<Path> files = Files.list(one.resolve("pki"))) {
      for (Path file : files.toList()) {
        Files.copy(file, pki.resolve(file.getFileName()));
      }
    }
    return pki.getParent();
  }

  private boolean fabric8(Writers.ThrowingRunnable kill) throws Exception {
    var config = io.fabric8.kubernetes.client.Config.fromKubeconfig(Files.readString(kubeconfig()));
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
        Fabric8Informer informer = Fabric8Informer.start(client, "fabric8")) {
      Writers writers = informer.writers();
      writers.writeAcross(kill);
      for (Writers.Failure failure : writers.failures()) {
        assertThat(failure.cause())
            .isInstanceOfSatisfying(
                KubernetesClientException.class,
                e -> assertThat(e.getCode()).as(e.toString()).isIn(failure.unavoidable()));
      }
      Map<String, String> stored = informer.listed();
      writers.assertNothingIsLost(stored);
      informer.seen().await(stored);
      return true;
    }
  }

  private boolean official(Writers.ThrowingRunnable kill) throws Exception {
    ApiClient client;
    try (Reader reader = Files.newBufferedReader(kubeconfig())) {
      client = Config.fromConfig(KubeConfig.loadKubeConfig(reader));
    }
    var leases =
        new GenericKubernetesApi<>(
            V1Lease.class, V1LeaseList.class, "coordination.k8s.io", "v1", "leases", client);
    try (OfficialInformer informer = OfficialInformer.start(client, leases, "official")) {
      Writers writers = informer.writers();
      writers.writeAcross(kill);
      for (Writers.Failure failure : writers.failures()) {
        if (failure.cause() instanceof ApiException e) {
          assertThat(e.getCode()).as(e.getResponseBody()).isIn(failure.unavoidable());
        } else {
          assertThat(failure.cause()).hasCauseInstanceOf(IOException.class);
        }
      }
      Map<String, String> stored = informer.listed();
      writers.assertNothingIsLost(stored);
      informer.seen().await(stored);
      return true;
    }
  }

  private boolean python(Writers.ThrowingRunnable kill) throws Exception {
    Path script =
        Path.of(Objects.requireNonNull(KilledServerTest.class.getResource("program.py")).toURI());
    Process python =
        new ProcessBuilder(OfficialPythonTest.PYTHON, script.toString(), kubeconfig().toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var answers = python.inputReader(UTF_8);
        var questions = python.outputWriter(UTF_8)) {
      questions.write("survives_kill\n");
      questions.flush();
      assertThat(answers.readLine()).isEqualTo("kill");
      kill.run();
      questions.write("killed\n");
      questions.flush();
      assertThat(answers.readLine()).isEqualTo("ok");
      return true;
    } finally {
      python.destroyForcibly();
    }
  }

  private boolean kubectl(Writers.ThrowingRunnable kill) throws Exception {
    List<String> failures = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      assertThat(kubectlRound("before-" + i, failures)).as(failures.toString()).isTrue();
    }
    kill.run();
    int good = 0;
    for (int i = 0; good < ROUNDS; i++) {
      good += kubectlRound("after-" + i, failures) ? 1 : 0;
    }
    assertThat(failures)
        .allSatisfy(said ->
            assertThat(said)
                .containsPattern("EOF|connection re(set|fused)|broken pipe|was closed"));
    return true;
  }

  /** What a person does with an object; whether all of it went well. */
  private boolean kubectlRound(String name, List<String> failures) throws IOException {
    List<List<String>> commands =
        List.of(
            List.of("create", "configmap", name, "--from-literal=a=b"),
            List.of("annotate", "configmap", name, "c=d"),
            List.of("get", "configmap", name, "-o", "yaml"),
            List.of("delete", "configmap", name));
    for (List<String> words : commands) {
      List<String> command =
          new ArrayList<>(List.of("kubectl", "--kubeconfig", kubeconfig().toString()));
      command.addAll(words);
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().put("HOME", directory.toString());
      Process kubectl = builder.start();
      kubectl.getOutputStream().close();
      String said = new String(kubectl.getInputStream().readAllBytes(), UTF_8);
      if (kubectl.onExit().join().exitValue() != 0) {
        failures.add(said);
        return false;
      }
    }
    return true;
  }
}
