package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.Agent;
import dev.berth.grpc.cri.Containerd;
import dev.berth.grpc.cri.TestRegistry;
import dev.berth.time.FatalError;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods of {@code berth up} in a real containerd, as a user of {@code kubectl} sees them. W4. */
class ContainerdUpTest {
  private final String podRange = BerthProcess.podRange();

  @TempDir private Path folder = Path.of("");

  private BerthProcess up(Containerd containerd, int port) throws IOException {
    BerthProcess berth =
        BerthProcess.up(
            folder.resolve("data"),
            port,
            "--node",
            "--cluster-cidr=" + podRange,
            "--container-runtime-endpoint=unix://" + containerd.socket());
    berth.awaitNodes();
    return berth;
  }

  private void create(BerthProcess berth, String name, String spec) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve(name + ".json"),
            "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"%s\"},\"spec\":%s}"
                .formatted(name, spec.replace('\'', '"')));
    assertThat(berth.said("create", "-f", file.toString())).contains("created");
  }

  private static String of(BerthProcess berth, String pod, String path) throws IOException {
    return berth.said("get", "pod", pod, "-o", "jsonpath={" + path + "}");
  }

  @Test
  void podsRunInContainerdAndOutliveBoth() throws Exception {
    try (Containerd containerd = new Containerd();
        TestRegistry registry = new TestRegistry()) {
      Path node = folder.resolve("data/node");
      int port = BerthProcess.steadyPort();
      String image = registry.push("team/app", "1");
      String id;
      try (BerthProcess berth = up(containerd, port)) {
        assertThat(
                berth.said(
                    "get",
                    "node",
                    "-o",
                    "jsonpath={.items[0].status.nodeInfo.containerRuntimeVersion}"))
            .startsWith("containerd://");
        berth.said(
            "create",
            "secret",
            "docker-registry",
            "login",
            "--docker-server=" + image.substring(0, image.indexOf('/')),
            "--docker-username=" + TestRegistry.USER,
            "--docker-password=" + TestRegistry.PASSWORD);
        berth.said(
            "patch",
            "serviceaccount",
            "default",
            "-p",
            "{\"imagePullSecrets\":[{\"name\":\"login\"}]}");
        create(
            berth,
            "web",
            """
            {'terminationGracePeriodSeconds': 1,
             'initContainers': [
               {'name': 'init', 'image': '%1$s', 'command': ['sh', '-c', 'echo first']},
               {'name': 'side', 'image': '%1$s', 'restartPolicy': 'Always',
                'command': ['sleep', '1000']}],
             'containers': [
               {'name': 'main', 'image': '%2$s', 'stdin': true,
                'command': ['sh', '-c', 'echo up; read x'],
                'readinessProbe': {'exec': {'command': ['echo', 'fine']}, 'periodSeconds': 1}}]}
            """
                .formatted(Containerd.IMAGE, image));
        berth.await("condition=Ready", "pod/web");
        for (String message :
            List.of(
                "Pulling image \"%s\"".formatted(image),
                "Successfully pulled image \"%s\" in ".formatted(image),
                "Container image \"%s\" already present on machine and can be accessed by the pod"
                    .formatted(Containerd.IMAGE))) {
          berth.awaitSaid(
              Pattern.quote(message), "get", "events", "-o", "custom-columns=M:.message");
        }
        assertThat(berth.said("logs", "web", "-c", "init")).isEqualTo("first\n");
        assertThat(berth.said("exec", "web", "-c", "main", "--", "sh", "-c", "echo in; exit 3"))
            .startsWith("in\n")
            .contains("exit code 3");
        id = of(berth, "web", ".status.containerStatuses[0].containerID");
        assertThat(id).startsWith("containerd://");
        containerd.kill();
        berth.kill();
      }
      containerd.comeBack();
      try (BerthProcess berth = up(containerd, port)) {
        berth.await("condition=Ready", "pod/web");
        assertThat(of(berth, "web", ".status.containerStatuses[0].containerID")).isEqualTo(id);
        assertThat(of(berth, "web", ".status.containerStatuses[0].restartCount")).isEqualTo("0");
        assertThat(berth.said("delete", "pod", "web", "--timeout=3m")).contains("deleted");
        create(
            berth,
            "again",
            "{'terminationGracePeriodSeconds':1,'hostNetwork':true,'containers':[{'name':'main','image':'%s','stdin':true,'command':['sh','-c','read x']}]}"
                .formatted(Containerd.IMAGE));
        berth.await("condition=Ready", "pod/again");
        berth.said("set", "image", "pod/again", "main=" + image);
        berth.await("jsonpath={.status.containerStatuses[0].restartCount}=1", "pod/again");
        berth.await("condition=Ready", "pod/again");
        assertThat(of(berth, "again", ".status.containerStatuses[0].lastState.terminated.reason"))
            .isEqualTo("Error");
      }
      try (WallTime time = new WallTime(FatalError::end)) {
        assertThat(Agent.runningPods(node, time)).isEqualTo(1);
        Agent.remove(node, time);
      }
      assertThat(node).doesNotExist();
    }
  }
}
