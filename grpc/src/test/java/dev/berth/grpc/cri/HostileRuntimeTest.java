package dev.berth.grpc.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.Image;
import dev.berth.agent.runtime.LogRotation;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.RuntimeHandler;
import dev.berth.agent.runtime.remote.RemoteRuntimes;
import dev.berth.grpc.criapi.Cri;
import dev.berth.policy.image.RegistryLogin;
import dev.berth.time.VirtualTime;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runtimes that hang, lie, fail and go away: what a node says of them, and that it recovers. */
class HostileRuntimeTest {
  private static final PodId POD = new PodId("default", "web", "u1");
  private static final Map<String, String> LABELS =
      Map.of(CriNames.POD_UID, "u1", CriNames.POD_NAME, "web", CriNames.POD_NAMESPACE, "default");

  @TempDir private Path directory;
  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.loop(), failure.cause());
          });
  private ScriptedRuntime scripted;
  private ContainerRuntime runtime;

  @BeforeEach
  void connect() {
    scripted = new ScriptedRuntime(directory.resolve("runtime.sock"));
    runtime =
        new CriRuntimes()
            .connect(
                new RemoteRuntimes.Settings(
                    scripted.socket,
                    scripted.socket,
                    Duration.ofSeconds(1),
                    directory.resolve("logs"),
                    LogRotation.DEFAULT,
                    OptionalLong.empty(),
                    () -> List.of("10.1.0.0/24"),
                    Path.of("/sys"),
                    time));
  }

  @AfterEach
  void close() {
    runtime.close();
    scripted.close();
  }

  private void advance(Duration duration) {
    time.advance(duration);
  }

  @Test
  void aRuntimeThatIsNotThereYetIsWaitedFor() throws Exception {
    advance(Duration.ofSeconds(6));
    assertThat(runtime.problems())
        .containsExactly(
            "container runtime status check may not have completed yet",
            "PLEG is not healthy: pleg has yet to be successful");
    assertThatThrownBy(runtime::list)
        .isInstanceOf(RuntimeFailure.class)
        .hasMessage("the container runtime does not answer");
    scripted.start();
    advance(Duration.ofSeconds(6));
    assertThat(runtime.problems()).isEmpty();
    assertThat(runtime.version()).isEqualTo("scripted://1.0");
    assertThat(runtime.idPrefix()).isEqualTo("scripted://");
    assertThat(runtime.list()).isEmpty();
  }

  @Test
  void aRuntimeThatHangsIsDownAfterHalfAMinuteAndUnhealthyAfterThree() throws IOException {
    scripted.start();
    advance(Duration.ofSeconds(6));
    assertThat(runtime.problems()).isEmpty();
    scripted.hangs = true;
    assertThatThrownBy(() -> runtime.find("u1"))
        .hasMessage("rpc error: code = DeadlineExceeded desc = context deadline exceeded");
    // So that no real time has to go by.
    scripted.failure = Status.DEADLINE_EXCEEDED;
    advance(Duration.ofSeconds(24));
    assertThat(runtime.problems()).isEmpty();
    advance(Duration.ofSeconds(10));
    assertThat(runtime.problems()).containsExactly("container runtime is down");
    advance(Duration.ofSeconds(150));
    assertThat(runtime.problems())
        .hasSize(2)
        .last()
        .asString()
        .matches("PLEG is not healthy: pleg was last seen active 3m\\S+s ago; threshold is 3m0s");
    scripted.hangs = false;
    scripted.failure = null;
    advance(Duration.ofSeconds(6));
    assertThat(runtime.problems()).isEmpty();
  }

  @Test
  void conditionsThatAreFalseAreRepeated() throws IOException {
    scripted.status =
        ScriptedRuntime.ready(
            false,
            "NetworkPluginNotReady",
            "Network plugin returns error: cni plugin not initialized");
    scripted.start();
    advance(Duration.ofSeconds(6));
    assertThat(runtime.problems())
        .containsExactly(
            "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady"
                + " message:Network plugin returns error: cni plugin not initialized");
    assertThat(runtime.details().array("conditions").objects())
        .extracting(each -> each.text("type", "") + "=" + each.text("status", ""))
        .containsExactly("RuntimeReady=True", "NetworkReady=False");
    scripted.failure = Status.UNAVAILABLE;
    advance(Duration.ofSeconds(6));
    assertThat(runtime.details().array("conditions").objects()).as("while it is down").isEmpty();
    scripted.failure = null;
    scripted.status =
        Cri.StatusResponse.newBuilder()
            .setStatus(
                Cri.RuntimeStatus.newBuilder()
                    .addConditions(
                        ScriptedRuntime.condition("RuntimeReady", false, "Broken", "no disk"))
                    .addConditions(ScriptedRuntime.condition("NetworkReady", true, "", "")))
            .build();
    advance(Duration.ofSeconds(6));
    assertThat(runtime.problems())
        .containsExactly(
            "container runtime not ready: RuntimeReady=false reason:Broken message:no disk");
    scripted.status = ScriptedRuntime.ready(true, "", "");
    advance(Duration.ofSeconds(6));
    assertThat(runtime.problems()).isEmpty();
  }

  @Test
  void cgroupsOfSystemdAreAProblem() throws IOException {
    scripted.driver = Cri.CgroupDriver.SYSTEMD;
    scripted.start();
    advance(Duration.ofSeconds(6));
    assertThat(runtime.problems()).singleElement().asString().contains("SystemdCgroup = false");
  }

  @Test
  void theRangeOfPodsIsToldOnceToEachRuntime() throws IOException {
    scripted.start();
    advance(Duration.ofSeconds(20));
    assertThat(scripted.calls).containsExactly("cidr 10.1.0.0/24");
    scripted.close();
    advance(Duration.ofSeconds(6));
    scripted.start();
    advance(Duration.ofSeconds(20));
    assertThat(scripted.calls).containsExactly("cidr 10.1.0.0/24", "cidr 10.1.0.0/24");
  }

  @Test
  void handlersAndFeaturesAreShown() throws IOException {
    scripted.status =
        scripted.status.toBuilder()
            .addRuntimeHandlers(
                Cri.RuntimeHandler.newBuilder()
                    .setName("kata")
                    .setFeatures(Cri.RuntimeHandlerFeatures.newBuilder().setUserNamespaces(true)))
            .setFeatures(Cri.RuntimeFeatures.newBuilder().setSupplementalGroupsPolicy(true))
            .build();
    scripted.start();
    advance(Duration.ofSeconds(6));
    assertThat(runtime.handlers()).containsExactly(new RuntimeHandler("kata", false, true));
    assertThat(runtime.hasGroupsPolicy()).contains(true);
  }

  @Test
  void changesAreNoticedByListsEachSecondWithoutEvents() throws IOException {
    scripted.sandbox("s1", "u1", 0, true, LABELS);
    scripted.container("c1", "u1", "c", Cri.ContainerState.CONTAINER_RUNNING);
    scripted.start();
    LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
    runtime.onChange(told::add);
    advance(Duration.ofSeconds(6));
    assertThat(told).isEmpty();
    scripted.container("c1", "u1", "c", Cri.ContainerState.CONTAINER_EXITED);
    advance(Duration.ofSeconds(1));
    assertThat(told).containsExactly("u1");
    scripted.containers.clear();
    scripted.sandboxes.clear();
    advance(Duration.ofSeconds(1));
    assertThat(told).containsExactly("u1", "u1");
  }

  @Test
  void changesAreNoticedByEventsWhereThereAreSome() throws Exception {
    scripted.hasEvents = true;
    scripted.start();
    LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
    runtime.onChange(told::add);
    advance(Duration.ofSeconds(6));
    StreamObserver<Cri.ContainerEventResponse> watcher =
        scripted.watchers.poll(60, TimeUnit.SECONDS);
    assertThat(watcher).isNotNull();
    watcher.onNext(
        Cri.ContainerEventResponse.newBuilder()
            .setPodSandboxStatus(
                Cri.PodSandboxStatus.newBuilder()
                    .setMetadata(Cri.PodSandboxMetadata.newBuilder().setUid("u9")))
            .build());
    assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo("u9");
    scripted.close();
    advance(Duration.ofSeconds(70));
    scripted.start();
    // When the client notices is up to the kernel, which has a minute.
    StreamObserver<Cri.ContainerEventResponse> again = null;
    for (int i = 0; i < 6000 && again == null; i++) {
      advance(Duration.ofSeconds(1));
      again = scripted.watchers.poll(10, TimeUnit.MILLISECONDS);
    }
    assertThat(again).as("events are asked for again").isNotNull();
  }

  private StreamObserver<Cri.ContainerEventResponse> eventsOfRunningPod(
      LinkedBlockingQueue<String> told) throws Exception {
    scripted.hasEvents = true;
    scripted.sandbox("s1", "u1", 0, true, LABELS);
    scripted.container("c1", "u1", "c", Cri.ContainerState.CONTAINER_RUNNING);
    scripted.start();
    runtime.onChange(told::add);
    advance(Duration.ofSeconds(6));
    StreamObserver<Cri.ContainerEventResponse> watcher =
        scripted.watchers.poll(60, TimeUnit.SECONDS);
    assertThat(watcher).isNotNull();
    return watcher;
  }

  private static Cri.ContainerEventResponse event(String uid) {
    return Cri.ContainerEventResponse.newBuilder()
        .setPodSandboxStatus(
            Cri.PodSandboxStatus.newBuilder()
                .setMetadata(Cri.PodSandboxMetadata.newBuilder().setUid(uid)))
        .build();
  }

  @Test
  void aRuntimeThatPromisesEventsAndTellsNoneIsListedEachSecond() throws Exception {
    LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
    eventsOfRunningPod(told);
    scripted.container("c1", "u1", "c", Cri.ContainerState.CONTAINER_EXITED);
    advance(Duration.ofSeconds(1));
    assertThat(told).containsExactly("u1");
  }

  @Test
  void whatAnEventHasNotToldAListFindsAndNoEventIsReliedOnAfterThat() throws Exception {
    LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
    StreamObserver<Cri.ContainerEventResponse> watcher = eventsOfRunningPod(told);
    watcher.onNext(event("u9"));
    assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo("u9");
    advance(Duration.ofSeconds(2));

    scripted.container("c1", "u1", "c", Cri.ContainerState.CONTAINER_EXITED);
    watcher.onNext(event("u1"));
    assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo("u1");
    advance(Duration.ofMinutes(2));
    assertThat(told).as("the list found what the event had told").containsOnly("u1");
    told.clear();

    scripted.container("c1", "u1", "c", Cri.ContainerState.CONTAINER_RUNNING);
    advance(Duration.ofSeconds(30));
    assertThat(told).as("events are relied on").isEmpty();
    advance(Duration.ofSeconds(32));
    assertThat(told).containsExactly("u1");
    scripted.container("c1", "u1", "c", Cri.ContainerState.CONTAINER_EXITED);
    advance(Duration.ofSeconds(2));
    assertThat(told).containsExactly("u1", "u1");
    assertThat(scripted.eventRequests).hasSize(1);
  }

  @Test
  void eventsThatEndAtOnceAreAskedForEachMinute() throws Exception {
    scripted.endsEvents = true;
    scripted.start();
    advance(Duration.ofSeconds(2));
    assertThat(scripted.eventRequests.poll(60, TimeUnit.SECONDS)).isNotNull();
    int seconds = 0;
    // How soon their end is heard of takes real time.
    while (scripted.eventRequests.poll(10, TimeUnit.MILLISECONDS) == null && seconds < 6000) {
      advance(Duration.ofSeconds(1));
      seconds++;
    }
    assertThat(seconds).isBetween(58, 5999);
  }

  @Test
  void whatIsGoneIsForgotten() throws Exception {
    scripted.sandbox("s1", "u1", 0, true, LABELS);
    scripted.container("c1", "u1", "c", Cri.ContainerState.CONTAINER_RUNNING);
    scripted.start();
    advance(Duration.ofSeconds(6));
    assertThat(runtime.list().getFirst().containers().getFirst().name()).isEqualTo("c");
    scripted.containers.clear();
    advance(Duration.ofSeconds(1));
    scripted.container("c1", "u1", "other", Cri.ContainerState.CONTAINER_RUNNING);
    assertThat(runtime.list().getFirst().containers().getFirst().name()).isEqualTo("other");
  }

  @Test
  void theImageOfSandboxesIsTheRuntimesOwn() throws Exception {
    scripted.images =
        List.of(
            Cri.Image.newBuilder().setId("a").addRepoTags("docker.io/library/pause:latest").build(),
            Cri.Image.newBuilder().setId("b").addRepoTags("docker.io/library/pause:2").build());
    scripted.status =
        scripted.status.toBuilder().putInfo("config", "{\"sandboxImage\":\"pause\"}").build();
    scripted.start();
    advance(Duration.ofSeconds(6));
    assertThat(runtime.images())
        .filteredOn(Image::isPinned)
        .extracting(Image::id)
        .containsExactly("a");
  }

  @Test
  void liesAreSurvived() throws Exception {
    scripted.sandboxes.put("nobody", Cri.PodSandbox.newBuilder().setId("nobody").build());
    scripted.containers.put("nothing", Cri.ContainerStatus.newBuilder().setId("nothing").build());
    scripted.sandbox("old", "u1", 0, true, LABELS);
    scripted.sandbox("new", "u1", 1, true, LABELS);
    scripted.container("lost", "u1", "c", Cri.ContainerState.CONTAINER_UNKNOWN);
    scripted.container("unborn", "u1", "d", Cri.ContainerState.CONTAINER_CREATED);
    scripted.start();
    advance(Duration.ofSeconds(6));
    assertThat(scripted.calls).contains("stop lost 0");
    assertThat(runtime.list())
        .singleElement()
        .satisfies(pod -> {
          assertThat(pod.pod()).isEqualTo(POD);
          assertThat(pod.created().getEpochSecond()).isEqualTo(2);
          assertThat(pod.containers())
              .singleElement()
              .satisfies(each -> {
                assertThat(each.id()).isEqualTo("lost");
                assertThat(each.isRunning()).isFalse();
              });
        });
  }

  @Test
  void loginsAreTriedInTurnAndFailuresThatHaveANameKeepIt() throws Exception {
    scripted.pullFailures.put("app:1 one", "unauthorized");
    scripted.pullFailures.put("down:1 ", "RegistryUnavailable: try later");
    scripted.pullFailures.put("gone:1 ", "failed to resolve reference \"gone:1\": not found");
    scripted.start();
    runtime.pullImage(
        "app:1", POD, List.of(new RegistryLogin("one", "p"), new RegistryLogin("two", "p")));
    assertThat(scripted.calls).contains("pull app:1 one", "pull app:1 two");
    scripted.pullFailures.put("app:1 two", "expired");
    assertThatThrownBy(() ->
            runtime.pullImage(
                "app:1",
                POD,
                List.of(
                    new RegistryLogin("one", "p"),
                    new RegistryLogin("two", "p"),
                    new RegistryLogin("one", "q"))))
        .hasMessage("[unauthorized, expired]");
    assertThatThrownBy(() -> runtime.pullImage("down:1", POD, List.of()))
        .hasMessage("image pull failed for down:1 because the registry is unavailable: try later")
        .extracting(failure -> ((RuntimeFailure) failure).reason())
        .isEqualTo("RegistryUnavailable");
    assertThatThrownBy(() -> runtime.pullImage("gone:1", POD, List.of()))
        .hasMessage("failed to resolve reference \"gone:1\": not found")
        .extracting(failure -> ((RuntimeFailure) failure).reason())
        .isEqualTo("ErrImagePull");
  }
}
