package dev.berth.serving.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.access.Action;
import dev.berth.kinds.flowcontrol.BootstrapFlowControl;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.user.User;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of the schemas that every cluster has a request belongs to. */
class FlowSchemaTest {
  private static final List<FlowSchema> ALL =
      Stream.concat(
              BootstrapFlowControl.mandatorySchemas().stream(),
              BootstrapFlowControl.suggestedSchemas().stream())
          .map(FlowSchema::read)
          .sorted(FlowSchema.ORDER)
          .toList();

  private static User user(String text) {
    String[] parts = text.split("/", -1);
    List<String> groups = new ArrayList<>(List.of(parts).subList(1, parts.length));
    return parts[0].equals(User.ANONYMOUS_NAME)
        ? User.ANONYMOUS
        : User.authenticated(parts[0], groups);
  }

  private static Action action(String text) {
    String[] parts = text.split(" ", -1);
    if (parts[1].startsWith("/")) {
      return new Action.OnPath(parts[0], parts[1]);
    }
    String[] resource = parts[1].split("/", -1);
    String[] names = resource[0].split("\\.", 2);
    return new Action.OnResource(
        parts[0],
        new GroupResource(names.length == 2 ? names[1] : "", names[0]),
        parts.length > 2 ? parts[2] : "",
        "",
        resource.length == 2 ? resource[1] : "");
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource(
      textBlock =
          """
          root/system:masters, list pods, exempt
          root/system:masters, get /metrics, exempt
          system:anonymous, get /healthz, probes
          system:anonymous, get /livez/ping, probes
          system:anonymous, get /healthzz, global-default
          system:anonymous, get /version, global-default
          system:kube-scheduler, update leases.coordination.k8s.io kube-system, system-leader-election
          system:kube-scheduler, patch leases.coordination.k8s.io kube-system, kube-scheduler
          system:serviceaccount:kube-system:a, get leases.coordination.k8s.io x, system-leader-election
          system:node:n/system:nodes, update leases.coordination.k8s.io kube-node-lease, system-node-high
          system:node:n/system:nodes, patch nodes/status, system-node-high
          system:node:n/system:nodes, list leases.coordination.k8s.io, system-nodes
          system:node:n/system:nodes, get pods default, system-nodes
          system:node:n/system:nodes, get /version, system-nodes
          system:kube-controller-manager, list pods, kube-controller-manager
          system:serviceaccount:kube-system:a/system:serviceaccounts, list pods, kube-system-service-accounts
          system:serviceaccount:kube-systems:a/system:serviceaccounts, list pods, service-accounts
          alice, list pods, global-default
          """)
  void belongsToTheFirstThatMatches(String user, String action, String schema) {
    assertThat(
            ALL.stream()
                .filter(each -> each.matches(user(user), action(action)))
                .map(FlowSchema::name)
                .findFirst())
        .contains(schema);
  }

  @Test
  void flowsAreToldApartByUserOrNamespace() {
    FlowSchema byUser = ALL.stream().filter(s -> s.name().equals("system-nodes")).findAny().get();
    FlowSchema byNamespace =
        ALL.stream().filter(s -> s.name().equals("kube-scheduler")).findAny().get();
    Action action = action("get pods default");
    assertThat(byUser.flow(user("alice"), action)).isEqualTo("alice");
    assertThat(byNamespace.flow(user("alice"), action)).isEqualTo("default");
    assertThat(byUser.hash("alice")).isEqualTo(byUser.hash("alice"));
    assertThat(byUser.hash("alice")).isNotEqualTo(byUser.hash("bob"));
    assertThat(byUser.hash("alice")).isNotEqualTo(byNamespace.hash("alice"));
  }
}
