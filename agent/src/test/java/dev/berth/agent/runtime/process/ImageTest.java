package dev.berth.agent.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.ExecSpec;
import dev.berth.agent.runtime.Image;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Containers whose root is an imported image. */
class ImageTest {
  private LiveRuntime live;
  private TestPod pod;

  @BeforeEach
  void start() throws Exception {
    live = new LiveRuntime();
    pod = live.pod("web");
  }

  @AfterEach
  void end() throws Exception {
    live.close();
  }

  /** An image with a shell, its libraries and nothing else. */
  private Path archive() throws Exception {
    return archive(Optional.empty());
  }

  /**
   * @param devices where a link leads to, in the image as on the machine, that is the image's /dev
   */
  private Path archive(Optional<Path> devices) throws Exception {
    Path build = Files.createDirectories(live.root.resolve("build"));
    Path root = Files.createDirectories(build.resolve("rootfs"));
    Path copies = new HostTools(live.root.resolve("copied-tools")).copies();
    Files.createDirectories(root.resolve("bin"));
    Files.createDirectories(root.resolve("lib64"));
    Files.createDirectories(root.resolve("lib/x86_64-linux-gnu"));
    Files.createDirectories(root.resolve("etc"));
    Files.copy(copies.resolve("sh"), root.resolve("bin/sh"));
    Files.copy(copies.resolve("libc.so.6"), root.resolve("lib/x86_64-linux-gnu/libc.so.6"));
    Files.copy(copies.resolve("loader"), root.resolve("lib64/ld-linux-x86-64.so.2"));
    Files.writeString(
        root.resolve("etc/passwd"), "root:x:0:0::/:/bin/sh\napp:x:77:78::/app:/bin/sh\n");
    Files.writeString(root.resolve("etc/group"), "app:x:78:\nextra:x:79:app\n");
    if (devices.isPresent()) {
      Files.createSymbolicLink(root.resolve("dev"), devices.get());
      Files.createDirectories(root.resolve(Path.of("/").relativize(devices.get())));
    }
    Path archive = live.root.resolve("image.tar");
    DockerArchive.write(
        archive,
        build,
        root,
        """
        {"config":{"Entrypoint":["/bin/sh","-c"],"Cmd":["echo from the image $GREETING; exec sh"],
         "Env":["PATH=/bin","GREETING=hello"],"User":"app","WorkingDir":"/data","StopSignal":"SIGINT"}}
        """);
    return archive;
  }

  @Test
  void runsInItsImageAsTheImageSays() throws Exception {
    live.runtime().imageStore().importArchive("tiny:1", archive());
    Image image = live.runtime().findImage("docker.io/library/tiny:1").orElseThrow();
    assertThat(image.id()).startsWith("sha256:");
    assertThat(live.runtime().images()).containsExactly(image);
    ContainerStatus container =
        live.runtime()
            .start(
                TestContainer.running(
                        "/bin/sh",
                        "-c",
                        "echo $GREETING $HOME; pwd; read u </proc/self/loginuid; while read l; do"
                            + " case $l in Uid*|Gid*|Groups*) echo $l;; esac; done"
                            + " </proc/self/status; echo >/x; echo /bin/* /usr/*")
                    .image("tiny:1")
                    .spec(pod));
    assertThat(container.imageId()).isEqualTo(image.id());
    live.awaitExit(container);
    assertThat(LiveRuntime.log(container))
        .startsWith("hello /app\n/data\n")
        .contains("Uid: 77 77 77 77\nGid: 78 78 78 78\nGroups: 79\n")
        .contains("cannot create /x: Permission denied")
        .contains("\n/bin/sh /usr/*\n");
  }

  @Test
  void groupsOfTheImageMayBeLeftOut() throws Exception {
    live.runtime().imageStore().importArchive("tiny:1", archive());
    ContainerStatus container =
        live.runtime()
            .start(
                TestContainer.running(
                        "/bin/sh",
                        "-c",
                        "while read l; do case $l in Groups*) echo \"[$l]\";; esac; done"
                            + " </proc/self/status")
                    .image("tiny:1")
                    .withoutImageGroups()
                    .spec(pod));
    live.awaitExit(container);
    assertThat(LiveRuntime.log(container).replaceAll("\\s", "")).isEqualTo("[Groups:]");
  }

  @Test
  void writesToItsRootWithoutChangingTheImage() throws Exception {
    live.runtime().imageStore().importArchive("tiny:1", archive());
    ContainerStatus container =
        live.runtime()
            .start(
                TestContainer.running(
                        "/bin/sh",
                        "-c",
                        "echo new >/etc/passwd; echo up; while :; do read x </dev/zero; done")
                    .image("tiny:1")
                    .as(0)
                    .spec(pod));
    live.awaitLine(container, "up");
    assertThat(
            live.runtime().imageStore().find("tiny:1").orElseThrow().root().resolve("etc/passwd"))
        .content()
        .contains("app:x:77");
    try (var session =
        live.runtime()
            .exec(
                container.id(),
                new ExecSpec(
                    List.of("/bin/sh", "-c", "read l </etc/passwd; echo $l"), false, false))) {
      assertThat(session.stdout().readAllBytes()).asString().isEqualTo("new\n");
    }
  }

  @Test
  void aLinkOfAnImageLeadsNowhereOnTheMachine() throws Exception {
    Path outside = Files.createDirectories(live.root.resolve("outside"));
    live.runtime().imageStore().importArchive("tiny:1", archive(Optional.of(outside)));
    ContainerStatus container =
        live.runtime()
            .start(TestContainer.running("/bin/sh", "-c", "echo runs").image("tiny:1").spec(pod));
    live.awaitExit(container);
    assertThat(LiveRuntime.log(container)).isEqualTo("runs\n");
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void anImageThatIsNotThereIsTheMachine() throws Exception {
    assertThat(live.runtime().findImage("nginx")).isEmpty();
    ContainerStatus container =
        live.runtime().start(TestContainer.running("true").image("nginx").spec(pod));
    assertThat(container.imageId()).isEqualTo("process://host");
    assertThat(live.runtime().images()).isEmpty();
  }

  @Test
  void mountsTheFilesOfAnImageThatNobodyCanChange() throws Exception {
    live.runtime().imageStore().importArchive("tiny:1", archive());
    String id = live.runtime().findImage("tiny:1").orElseThrow().id();
    ContainerStatus container =
        live.runtime()
            .start(
                TestContainer.script(
                        "cat /image/etc/group; cat /users; /image/bin/sh -c 'echo runs' || echo no;"
                            + " echo x 2>/dev/null >/image/etc/new || echo refused;"
                            + " echo up; while :; do sleep 1; done")
                    .mountingImage("docker.io/library/tiny:1", "", "/image")
                    .mountingImage("tiny:1", "etc/passwd", "/users")
                    .spec(pod));
    assertThat(container.mountedImages()).containsExactly(id);
    live.awaitLine(container, "up");
    assertThat(LiveRuntime.log(container))
        .isEqualTo(
            """
            app:x:78:
            extra:x:79:app
            root:x:0:0::/:/bin/sh
            app:x:77:78::/app:/bin/sh
            runs
            refused
            up
            """);
    assertThatThrownBy(() -> live.runtime().removeImage("tiny:1"))
        .hasMessage("image \"tiny:1\" is in use by container main");
  }

  @Test
  void aPartThatAnImageDoesNotHaveCannotBeMounted() throws Exception {
    live.runtime().imageStore().importArchive("tiny:1", archive());
    assertThatThrownBy(() ->
            live.runtime()
                .start(
                    TestContainer.running("true")
                        .mountingImage("tiny:1", "no/such", "/image")
                        .spec(pod)))
        .hasMessage("ImageVolumeMountFailed: the image \"tiny:1\" has no \"no/such\"");
  }
}
