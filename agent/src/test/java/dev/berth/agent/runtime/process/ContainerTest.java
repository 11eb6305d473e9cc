package dev.berth.agent.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.nativecalls.Mounts;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.ContainerUser;
import dev.berth.agent.runtime.ExecSpec;
import dev.berth.agent.runtime.RuntimeFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a container is and sees, in real ones. */
class ContainerTest {
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

  private String output(String script) throws Exception {
    return live.output(pod, TestContainer.script(script));
  }

  @Test
  void runsAsTheFirstProcessOfItsOwnWithTheNameOfItsPod() throws Exception {
    assertThat(output("echo $$; hostname; cat /etc/hostname; ls /proc | grep -c '^[0-9]'"))
        .startsWith("1\nweb\nweb\n");
  }

  @Test
  void seesProgramsOfTheMachineAndNothingOfItsData() throws Exception {
    String seen =
        output(
            "ls -A /root /home /run /var/lib /mnt /opt; ls -d /usr/bin /bin/sh; ls /etc/shadow"
                + " /etc/ssh;"
                + " ls / ; test -e %s && echo state".formatted(live.root));
    assertThat(seen)
        .contains("/usr/bin\n")
        .contains("/bin/sh\n")
        .contains("'/etc/shadow': No such file")
        .contains("'/etc/ssh': No such file")
        .doesNotContain("state")
        .doesNotContain("work\n");
  }

  @Test
  void tellsWhoItsFirstProcessIs() throws Exception {
    ContainerStatus own = live.runtime().start(TestContainer.patient().as(1234).spec(pod));
    assertThat(live.runtime().user(own.id())).contains(new ContainerUser(1234, 0, List.of(0L)));
    ContainerStatus root = live.runtime().start(TestContainer.patient().named("root").spec(pod));
    assertThat(live.runtime().user(root.id())).contains(new ContainerUser(0, 0, List.of(0L)));
    assertThat(live.runtime().user("ghost")).isEmpty();
  }

  @Test
  void cannotWriteToTheMachinesProgramsButToItsOwnRoot() throws Exception {
    Path beside = Path.of("/tmp", "container-test-" + ProcessHandle.current().pid());
    assertThat(
            output(
                "touch /usr/x 2>&1; touch /etc/x 2>&1; touch %s /x /var/x && echo written"
                    .formatted(beside)))
        .contains("/usr/x': Read-only file system")
        .contains("/etc/x': Read-only file system")
        .endsWith("written\n");
    assertThat(beside).doesNotExist();
  }

  @Test
  void hasAReadOnlyRootIfItAsksForOne() throws Exception {
    assertThat(
            live.output(
                pod,
                TestContainer.script(
                        "touch /x 2>&1; touch /tmp/x 2>&1; echo a >/dev/null && echo ok")
                    .readOnly()))
        .contains("/x': Read-only file system")
        .contains("/tmp/x': Read-only file system")
        .endsWith("ok\n");
  }

  @Test
  void seesWhatItMayUseInItsOwnCgroupAndCannotChangeIt() throws Exception {
    assertThat(
            live.output(
                pod,
                TestContainer.script(
                        """
                        cd /sys/fs/cgroup
                        cat memory.max memory/memory.limit_in_bytes 2>/dev/null
                        cat cgroup.procs memory/cgroup.procs 2>/dev/null | grep -x 1
                        [ ! -e memory ] || grep cgroup2 /proc/mounts
                        grep -v ':/$' /proc/self/cgroup || echo root
                        for file in memory.max memory/memory.limit_in_bytes; do
                          [ ! -e $file ] || echo 1 >$file
                        done
                        mkdir more 2>&1; [ ! -e memory ] || mkdir memory/more
                        """)
                    .memory(64 << 20)))
        .startsWith("67108864\n1\nroot\n")
        .contains("'more': Read-only file system")
        .containsPattern("memory\\S*: Read-only file system");
  }

  @Test
  void aJavaProgramFindsItsLimitByItself() throws Exception {
    assertThat(
            live.output(
                pod,
                TestContainer.script("/jdk/bin/java -XshowSettings:system -version 2>&1")
                    .mounting(System.getProperty("java.home"), "/jdk", true)
                    .memory(128 << 20)))
        .contains("Memory Limit: 128.00M");
  }

  @Test
  void aCommandThatIsRunInItSeesTheSameCgroupAlsoFromTheNextAgent() throws Exception {
    ContainerStatus container =
        live.runtime().start(TestContainer.patient().memory(64 << 20).spec(pod));
    live.awaitLine(container, "up");
    live.restart();
    ExecSpec look =
        new ExecSpec(
            List.of(
                "sh",
                "-c",
                "cd /sys/fs/cgroup; cat memory.max memory/memory.limit_in_bytes 2>/dev/null;"
                    + " grep -v ':/$' /proc/self/cgroup || echo root"),
            false,
            false);
    try (var session = live.runtime().exec(container.id(), look)) {
      assertThat(session.stdout().readAllBytes()).asString().isEqualTo("67108864\nroot\n");
    }
  }

  @Test
  void seesItsOwnCgroupAmongTheProcessesOfTheMachine() throws Exception {
    TestPod host = TestPod.named("host").withHostPid();
    live.runtime().startSandbox(host.sandbox());
    assertThat(
            live.output(host, TestContainer.script("grep -v ':/$' /proc/self/cgroup || echo root")))
        .isEqualTo("root\n");
  }

  @Test
  void seesAllCgroupsOfTheMachineIfItIsPrivileged() throws Exception {
    assertThat(
            live.output(
                pod,
                TestContainer.script(
                        "cat /proc/self/cgroup; ls -d /sys/fs/cgroup/%1$s /sys/fs/cgroup/*/%1$s;"
                            .formatted(live.settings.cgroupParent()))
                    .privileged()))
        .contains(":/" + live.settings.cgroupParent() + "/")
        .containsPattern("/sys/fs/cgroup/\\S*" + live.settings.cgroupParent() + "\n");
  }

  @Test
  void hasTheUsualCapabilitiesAndGainsNone() throws Exception {
    assertThat(output("grep -E 'CapEff|CapBnd|NoNewPrivs|Seccomp:' /proc/self/status"))
        .contains("CapEff:\t00000000a80425fb")
        .contains("CapBnd:\t00000000a80425fb")
        .contains("NoNewPrivs:\t1")
        .contains("Seccomp:\t2");
  }

  @Test
  void hasTheCapabilitiesThatItAddsAndNotThoseThatItDrops() throws Exception {
    assertThat(
            live.output(
                pod,
                TestContainer.running("grep", "CapEff", "/proc/self/status")
                    .dropping("ALL")
                    .adding("NET_ADMIN")))
        .isEqualTo("CapEff:\t0000000000001000\n");
  }

  @Test
  void isWhoItIsToldToBe() throws Exception {
    assertThat(
            live.output(
                pod,
                TestContainer.script("id -u; id -g; grep CapEff /proc/self/status; touch /x 2>&1")
                    .as(1234)))
        .startsWith("1234\n0\nCapEff:\t0000000000000000\n")
        .contains("Permission denied");
  }

  @Test
  void usesTheDevicesThatItIsGivenAsItIsPermitted() throws Exception {
    assertThat(
            live.output(
                pod,
                TestContainer.script(
                        "stat -c %F /dev/thing /opt/dev/full; test -e /dev/fuse || echo none;"
                            + " (: < /dev/thing) && echo read; (: > /dev/thing) 2>&1;"
                            + " (: > /opt/dev/full) && echo written")
                    .device("/dev/fuse", "/dev/thing", "r")
                    .device("/dev/full", "/opt/dev/full", "r")))
        .isEqualTo(
            """
            character special file
            character special file
            none
            read
            sh: 1: cannot create /dev/thing: Operation not permitted
            written
            """);
  }

  @Test
  void isRefusedDevicesThatThereAreNot() {
    assertThatThrownBy(() ->
            live.runtime()
                .start(TestContainer.script("true").device("/dev/none", "/dev/x", "rw").spec(pod)))
        .hasMessage("device /dev/none: no such file or directory");
    assertThatThrownBy(() ->
            live.runtime()
                .start(TestContainer.script("true").device("/etc", "/dev/x", "rw").spec(pod)))
        .hasMessage("device /etc: not a device node");
    assertThatThrownBy(() ->
            live.runtime().start(TestContainer.script("true").cdiDevice("v.com/gpu=1").spec(pod)))
        .hasMessage(
            "CDI device v.com/gpu=1: this runtime does not read specifications of CDI devices");
  }

  @Test
  void isRefusedAsRootIfItMustNotBe() {
    assertThatThrownBy(() -> live.runtime().start(TestContainer.script("true").notRoot().spec(pod)))
        .isInstanceOfSatisfying(
            RuntimeFailure.class,
            failure -> assertThat(failure.reason()).isEqualTo("CreateContainerConfigError"))
        .hasMessageContaining("container has runAsNonRoot and image will run as root");
  }

  @Test
  void hasItsEnvironmentAloneWhateverTheNamesAndValuesAre() throws Exception {
    assertThat(
            live.output(
                pod,
                TestContainer.running("env")
                    .with("QUOTES", "it's \"$HOME\" `id`\\")
                    .with("my.name-x", "two\nlines")
                    .with("LD_PRELOAD", "")))
        .isEqualTo(
            """
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
            HOSTNAME=web
            QUOTES=it's "$HOME" `id`\\
            my.name-x=two
            lines
            LD_PRELOAD=
            HOME=/root
            """);
  }

  @Test
  void beginsInItsWorkingDirectoryWhichIsMade() throws Exception {
    assertThat(live.output(pod, TestContainer.running("pwd").in("/srv/app/data")))
        .isEqualTo("/srv/app/data\n");
  }

  @Test
  void saysWhichProgramIsMissingAndHasEndedByThat() {
    assertNotStarted("none", "nope", "exec: \"nope\": executable file not found in $PATH");
    assertNotStarted(
        "no-file", "/opt/nope", "exec: \"/opt/nope\": stat /opt/nope: no such file or directory");
    assertNotStarted(
        "no-program", "/etc/passwd", "exec: \"/etc/passwd\": stat /etc/passwd: no such file");
  }

  private void assertNotStarted(String name, String program, String why) {
    assertThatThrownBy(
            () -> live.runtime().start(TestContainer.running(program).named(name).spec(pod)))
        .isInstanceOfSatisfying(
            RuntimeFailure.class,
            failure -> assertThat(failure.reason()).isEqualTo("RunContainerError"))
        .hasMessageContaining(why);
    assertThat(live.sandbox(pod).containers())
        .filteredOn(container -> container.name().equals(name))
        .extracting(ContainerStatus::exit)
        .singleElement()
        .satisfies(exit -> {
          assertThat(exit.code()).isEqualTo(128);
          assertThat(exit.startError()).contains(why);
        });
  }

  @Test
  void failsForWhatItCannotHonour() {
    assertThatThrownBy(() ->
            live.runtime().start(TestContainer.script("true").seccomp("/var/x.json").spec(pod)))
        .hasMessageContaining("cannot load seccomp profile \"/var/x.json\": there is no such file");
    assertThatThrownBy(
            () -> live.runtime().start(TestContainer.script("true").adding("FLY").spec(pod)))
        .hasMessageContaining("unknown capability \"FLY\"");
    assertThatThrownBy(() ->
            live.runtime()
                .start(TestContainer.script("true").mounting("/nowhere", "/x", false).spec(pod)))
        .hasMessageContaining("stat /nowhere: no such file or directory");
  }

  @Test
  void doesNotSeeOrChangeTheKernelsSecretsAndSettings() throws Exception {
    assertThat(
            output(
                "cat /proc/keys /proc/timer_list | wc -c; echo 1 2>&1 >/proc/sys/kernel/panic;"
                    + " touch /sys/x 2>&1; ls /sys/firmware | wc -l"))
        .startsWith("0\n")
        .contains("Read-only file system")
        .endsWith("0\n");
  }

  @Test
  void cannotUseDevicesThatItMakes() throws Exception {
    assertThat(
            output(
                "mknod /tmp/disk b 254 0 && head -c1 /tmp/disk 2>&1; cat /dev/null; head -c3"
                    + " /dev/zero | wc -c"))
        .contains("Permission denied")
        .endsWith("3\n");
  }

  @Test
  void mountsFilesAndDirectoriesReadOnlyOrNot() throws Exception {
    Path data = Files.createDirectory(live.root.resolve("data"));
    Files.writeString(data.resolve("file"), "hello\n");
    assertThat(
            live.output(
                pod,
                TestContainer.script(
                        "cat /data/file /deep/er/file; touch /data/x 2>&1; echo more"
                            + " >>/deep/er/file")
                    .mounting(data.toString(), "/data", true)
                    .mounting(data.resolve("file").toString(), "/deep/er/file", false)))
        .isEqualTo("hello\nhello\ntouch: cannot touch '/data/x': Read-only file system\n");
    assertThat(data.resolve("file")).content().isEqualTo("hello\nmore\n");
  }

  @Test
  void symbolicLinksInVolumesDoNotLeadMountsOut() throws Exception {
    Path data = Files.createDirectory(live.root.resolve("data"));
    Path other = Files.createDirectory(live.root.resolve("other"));
    Path outside = Files.createDirectory(live.root.resolve("outside"));
    Files.createSymbolicLink(data.resolve("out"), outside);
    Files.createSymbolicLink(data.resolve("within"), Path.of("../../../../../../../mnt"));
    TestContainer container =
        TestContainer.script("touch /mnt/a; ls /data/out/ 2>&1")
            .mounting(data.toString(), "/data", false)
            .mounting(other.toString(), "/data/within", false);
    assertThat(live.output(pod, container)).contains("No such file");
    assertThat(other.resolve("a")).exists();
    assertThat(outside).isEmptyDirectory();
    assertThatThrownBy(() ->
            live.runtime()
                .start(
                    container.attempt(1).mounting(other.toString(), "/data/out", false).spec(pod)))
        .hasMessageContaining("no such file or directory: /data/out");
  }

  @Test
  void whatIsAskedForTwiceIsDoneOnce() throws Exception {
    ContainerStatus first = live.runtime().start(TestContainer.patient().spec(pod));
    ContainerStatus second = live.runtime().start(TestContainer.patient().spec(pod));
    assertThat(second).isEqualTo(first);
    assertThat(live.sandbox(pod).containers()).hasSize(1);
    assertThat(first.imageId()).isEqualTo("process://host");
    assertThat(live.runtime().startSandbox(pod.sandbox()).addresses())
        .isEqualTo(live.sandbox(pod).addresses());
  }

  @Test
  void containersOfAPodShareTheirNetworkAndMemoryButNotTheirProcesses() throws Exception {
    ContainerStatus first =
        live.runtime()
            .start(
                TestContainer.script("echo hi >/dev/shm/note; sleep 1000")
                    .named("first")
                    .spec(pod));
    Path note = live.root.resolve("pods/uid-web/sandbox/shm/note");
    Await.until(live.time, Duration.ofMinutes(2), () -> Files.exists(note));
    assertThat(
            live.output(
                pod, TestContainer.script("cat /dev/shm/note; pgrep sleep; ls /sys/class/net")))
        .isEqualTo("hi\neth0\nlo\n");
    assertThat(live.status(first.id()).isRunning()).isTrue();
  }

  @Test
  void containersSeeEachOthersProcessesIfTheirPodWantsThat() throws Exception {
    TestPod shared = TestPod.named("shared").withSharedProcesses();
    live.runtime().startSandbox(shared.sandbox());
    ContainerStatus first =
        live.runtime().start(TestContainer.script("exec sleep 1234").named("first").spec(shared));
    assertThat(live.output(shared, TestContainer.script("pgrep -fa 'sleep 1234'; echo $$")))
        .contains("sleep 1234")
        .doesNotEndWith("\n1\n");
    live.runtime().kill(first.id());
    assertThat(live.awaitExit(first).code()).isEqualTo(137);
  }

  @Test
  void seesTheMachinesProcessesAndNetworkIfItsPodWantsThat() throws Exception {
    TestPod host = TestPod.named("host").withHostPid().withHostNetwork();
    live.runtime().startSandbox(host.sandbox());
    assertThat(
            live.output(
                host,
                TestContainer.script(
                    "test -d /proc/%d && echo agent; readlink /proc/self/ns/net"
                        .formatted(ProcessHandle.current().pid()))))
        .isEqualTo("agent\n" + Files.readSymbolicLink(Path.of("/proc/self/ns/net")) + "\n");
    assertThat(live.sandbox(host).addresses()).isEmpty();
  }

  @Test
  void podsHaveKernelParametersOfTheirOwnAndCannotChangeTheMachines() throws Exception {
    TestPod tuned = TestPod.named("tuned").withSysctl("net.core.somaxconn", "77");
    live.runtime().startSandbox(tuned.sandbox());
    assertThat(live.output(tuned, TestContainer.running("cat", "/proc/sys/net/core/somaxconn")))
        .isEqualTo("77\n");
    assertThatThrownBy(() ->
            live.runtime()
                .startSandbox(TestPod.named("bad").withSysctl("vm.swappiness", "1").sandbox()))
        .hasMessageContaining("sysctl \"vm.swappiness\" cannot be set for a pod");
  }

  @Test
  void resolvesNamesAsItsPodSays() throws Exception {
    assertThat(output("cat /etc/resolv.conf; grep web /etc/hosts | head -1"))
        .startsWith("search default.svc.cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n")
        .endsWith(live.sandbox(pod).addresses().getFirst() + "\tweb\n");
  }

  @Test
  void aContainerCanBeAmongTheProcessesOfAnother() throws Exception {
    live.runtime().start(TestContainer.script("exec sleep 4321").named("app").spec(pod));
    assertThat(
            live.output(
                pod,
                TestContainer.script("tr '\\0' ' ' </proc/1/cmdline; ls -d /proc/1/ns")
                    .named("debugger")
                    .among("app")))
        .isEqualTo("sleep 4321 /proc/1/ns\n");
    assertThatThrownBy(() ->
            live.runtime().start(TestContainer.patient().named("lost").among("nobody").spec(pod)))
        .isInstanceOf(RuntimeFailure.class)
        .hasMessage("unable to find target container nobody");
  }

  @Test
  void whatIsMountedInAVolumeLaterIsSeenIfThePodAsksForIt(@TempDir Path directory)
      throws Exception {
    Path shared = directory.toRealPath();
    assertThatThrownBy(() ->
            live.runtime()
                .start(
                    TestContainer.patient()
                        .named("early")
                        .sharing("" + shared, "/v", "HostToContainer")
                        .spec(pod)))
        .hasMessageContaining("but it is not a shared or slave mount");
    Mounts.mount("tmpfs", "" + shared, "tmpfs", 0, "");
    try {
      Mounts.mount("none", "" + shared, "none", 1 << 20, "");
      for (String name : List.of("machine", "container", "hidden")) {
        Files.createDirectory(shared.resolve(name));
      }
      String look =
          "echo started; until test -e /v/go; do sleep 0.01; done; cat /v/machine/file; exec sleep"
              + " 999";
      ContainerStatus follows =
          live.runtime()
              .start(
                  TestContainer.script(look)
                      .named("follows")
                      .sharing("" + shared, "/v", "HostToContainer")
                      .spec(pod));
      ContainerStatus keeps =
          live.runtime()
              .start(
                  TestContainer.script(look)
                      .named("private")
                      .mounting("" + shared, "/v", false)
                      .spec(pod));
      live.runtime()
          .start(
              TestContainer.script(
                      "mount -t tmpfs none /v/container; echo yes >/v/container/file; exec sleep"
                          + " 999")
                  .named("both")
                  .privileged()
                  .sharing("" + shared, "/v", "Bidirectional")
                  .spec(pod));
      live.await(() -> Files.exists(shared.resolve("container/file")));
      // What was mounted before a container has its mounts, it has.
      live.awaitLine(follows, "started");
      live.awaitLine(keeps, "started");
      Mounts.mount("tmpfs", shared + "/machine", "tmpfs", 0, "");
      Files.writeString(shared.resolve("machine/file"), "seen\n");
      Files.createFile(shared.resolve("go"));
      live.awaitLine(follows, "seen");
      live.awaitLine(keeps, "cat: /v/machine/file: No such file or directory");
      assertThatThrownBy(() ->
              live.runtime()
                  .start(
                      TestContainer.patient()
                          .named("weak")
                          .sharing("" + shared, "/v", "Bidirectional")
                          .spec(pod)))
          .hasMessageContaining("Bidirectional is for privileged containers alone");
    } finally {
      live.runtime().removeSandbox(pod.id().uid());
      for (String each : List.of("/machine", "/container", "")) {
        Mounts.detach(shared + each);
      }
    }
  }
}
