package dev.berth.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.component.Components;
import dev.berth.controllers.ControllerName;
import dev.berth.controllers.ControllerSettings;
import dev.berth.controllers.Controllers;
import dev.berth.controllers.certificates.SigningSettings;
import dev.berth.controllers.nodeipam.IpamSettings;
import dev.berth.metrics.Metrics;
import dev.berth.pki.SigningResult;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.NodeRange;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** All controllers together, as {@code berth up} runs them. */
class ControllersTest {
  private final VirtualCluster cluster = new VirtualCluster(1);
  private final Set<String> accounts = new TreeSet<>();

  @AfterEach
  void close() {
    cluster.close();
  }

  private Components.Handle start(ControllerSettings settings) {
    return Controllers.run(
        cluster.supervisor(),
        new Controllers.Parts(
            account -> {
              accounts.add(account);
              return cluster.parts(account).api();
            },
            cluster.admin(),
            new Metrics()),
        settings);
  }

  private static ControllerSettings settings(Set<ControllerName> run) {
    ControllerSettings standard = ControllerSettings.standard();
    NodeRange range = new NodeRange(Cidr.parse("10.0.0.0/16").orElseThrow(), 24);
    return new ControllerSettings(
        run,
        standard.lifecycle(),
        standard.collection(),
        standard.attachDetach(),
        standard.autoscaling(),
        Optional.of(new IpamSettings(List.of(range), List.of())),
        Optional.of(() -> "-----BEGIN CERTIFICATE-----"),
        SigningSettings.all(
            (_, _) -> new SigningResult.Unavailable("nobody asks here"), SigningSettings.ONE_YEAR),
        Optional.of(_ -> "a.b.c"),
        standard.unusedTokenPeriod(),
        standard.gates());
  }

  @Test
  void eachWorksAsItsOwnAccountAndCountsItsOwnFigures() {
    cluster.run("controllers", () -> start(settings(ControllerName.all())));
    cluster.node("n1", "1");
    cluster.settle();

    assertThat(accounts)
        .contains("node-controller", "pod-garbage-collector", "deployment-controller");
    assertThat(cluster.list(Resources.NODES))
        .extracting(node -> node.object("spec").text("podCIDR", ""))
        .containsExactly("10.0.0.0/24");
    assertThat(cluster.warnings()).isEmpty();
  }

  @Test
  void thoseThatAreNotNamedDoNotRun() {
    cluster.run("controllers", () -> start(settings(Set.of(ControllerName.JOBS))));
    assertThat(cluster.supervisor().health().status(ControllerName.JOBS.word())).isPresent();
    assertThat(cluster.supervisor().health().status(ControllerName.CRON_JOBS.word())).isEmpty();

    assertThat(Controllers.names(settings(ControllerName.all())))
        .containsExactlyInAnyOrderElementsOf(ControllerName.all());
    assertThat(Controllers.names(ControllerSettings.standard()))
        .as(
            "nobody said which addresses nodes get, whom pods trust, and who signs certificates and tokens")
        .hasSize(ControllerName.all().size() - 4);
  }
}
