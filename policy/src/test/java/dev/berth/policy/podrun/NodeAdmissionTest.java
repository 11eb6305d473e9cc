package dev.berth.policy.podrun;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.ContainerPort;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.pod.EffectiveResources;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which pods a node lets in: one with 4 cpu, 1 Gi, 3 pods, of which 1 cpu and 2 pods are taken. */
final class NodeAdmissionTest {
  private static JsonObject tree(String json) {
    return JsonReader.object(
        json.replace('`', '"').replace('\'', '"').getBytes(StandardCharsets.UTF_8),
        JsonLimits.REQUEST);
  }

  private static final NodeView NODE =
      NodeView.read(
          tree(
              "{'metadata':{'name':'n','labels':{'disk':'fast'}},'spec':{'taints':[{'key':'a','effect':'NoSchedule'},{'key':'b','effect':'NoExecute'}]},'status':{'allocatable':{'cpu':'4','memory':'1Gi','pods':'3','x.io/gpu':'1'}}}"));

  private static String answer(String pod, int pods) {
    PodSpecView spec = PodSpecView.read(tree(pod));
    return NodeAdmission.check(
            spec,
            EffectiveResources.requests(spec),
            NODE,
            new NodeAdmission.Taken(
                pods,
                Map.of("cpu", Quantity.parse("1")),
                List.of(new ContainerPort(80, 8080, "TCP", "127.0.0.1"))))
        .map(AdmissionRejection::reason)
        .orElse("admitted");
  }

  private static String tolerating(String pod) {
    return pod.substring(0, pod.length() - 1)
        + ",'tolerations':[{'key':'b','operator':'Exists','tolerationSeconds':5}]}";
  }

  @ParameterizedTest(name = "requests {0}: {1}")
  @CsvSource({
    "'',                     admitted",
    "'`cpu`:`3`',            admitted",
    "'`cpu`:`3001m`',        OutOfcpu",
    "'`memory`:`1Gi`',       admitted",
    "'`memory`:`1025Mi`',    OutOfmemory",
    "'`x.io/gpu`:`2`',       OutOfx.io/gpu",
    "'`y.io/unknown`:`2`',   admitted",
  })
  void requests(String requests, String expected) {
    String pod = "{'containers':[{'name':'c','resources':{'requests':{%s}}}]}".formatted(requests);
    assertThat(answer(tolerating(pod), 2)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "'{`nodeSelector`:{`disk`:`fast`}}', admitted",
    "'{`nodeSelector`:{`disk`:`slow`}}', NodeAffinity",
  })
  void labels(String pod, String expected) {
    assertThat(answer(tolerating(pod), 2)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "port {0}: {1}")
  @CsvSource({
    "'`hostPort`:8080',                             NodePorts",
    "'`hostPort`:8080,`hostIP`:`127.0.0.1`',        NodePorts",
    "'`hostPort`:8080,`hostIP`:`192.168.1.1`',      admitted",
    "'`hostPort`:8080,`protocol`:`UDP`',            admitted",
    "'`containerPort`:8080',                        admitted",
  })
  void hostPorts(String port, String expected) {
    String pod = "{'containers':[{'name':'c','ports':[{%s}]}]}".formatted(port);
    assertThat(answer(tolerating(pod), 2)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0} pods, tolerating {1}: {2}")
  @CsvSource({"2, true, admitted", "2, false, TaintToleration", "3, true, OutOfpods"})
  void podsAndTaints(int pods, boolean tolerates, String expected) {
    String pod = "{'hostNetwork':false}";
    assertThat(answer(tolerates ? tolerating(pod) : pod, pods)).isEqualTo(expected);
  }
}
