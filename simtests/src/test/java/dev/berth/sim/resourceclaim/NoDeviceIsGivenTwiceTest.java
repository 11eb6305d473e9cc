package dev.berth.sim.resourceclaim;

import static dev.berth.client.Resources.DEVICE_CLASSES;
import static dev.berth.client.Resources.PODS;
import static dev.berth.client.Resources.RESOURCE_CLAIMS;
import static dev.berth.client.Resources.RESOURCE_CLAIM_TEMPLATES;
import static dev.berth.client.Resources.RESOURCE_SLICES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.informer.Informers;
import dev.berth.controllers.garbagecollector.GarbageCollector;
import dev.berth.controllers.garbagecollector.GarbageCollectorSettings;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.resourceclaim.ResourceClaimController;
import dev.berth.metrics.Metrics;
import dev.berth.model.device.DeviceId;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.Scheduler;
import dev.berth.scheduler.profile.ConfigurationReader;
import dev.berth.sim.history.History;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * A scheduler and the claim controller against a server that fails now and then; they crash and
 * come back, while pods with claims come and go. No device may ever be in two claims; in the end,
 * nobody waits beside a device that is free, and no claim is left without its pod.
 */
class NoDeviceIsGivenTwiceTest {
  private static final int STEPS = 40;
  private static final int DEVICES = 4;

  @SeededTest(fixed = 12, fresh = 4)
  void noTwoClaimsHaveTheSameDevice(long seed) {
    History.run(() -> new Run(seed));
  }

  private static final class Run extends History {
    private int created;

    Run(long seed) {
      super(seed, STEPS, Duration.ofMinutes(15));
      watch(RESOURCE_CLAIMS, _ -> checkInvariant());
      cluster.create(DEVICE_CLASSES, "{'metadata':{'name':'gpu'},'spec':{}}");
      cluster.create(
          RESOURCE_CLAIM_TEMPLATES,
          "{'metadata':{'namespace':'default','name':'one'},'spec':{'spec':{'devices':"
              + "{'requests':[{'name':'r','exactly':{'deviceClassName':'gpu'}}]}}}}");
      for (int i = 0; i < DEVICES / 2; i++) {
        cluster.node("node" + i, "8");
        cluster.create(
            RESOURCE_SLICES,
            ("{'metadata':{'name':'slice%1$d'},'spec':{'driver':'d.e','nodeName':'node%1$d',"
                    + "'pool':{'name':'node%1$d','generation':1,'resourceSliceCount':1},"
                    + "'devices':[{'name':'a'},{'name':'b'}]}}")
                .formatted(i));
      }
      cluster.run("scheduler", this::scheduler);
      cluster.run(
          "claims", () -> ResourceClaimController.start(informed(ResourceClaimController.ACCOUNT)));
      cluster.run(
          "garbage",
          () ->
              GarbageCollector.start(
                  parts(GarbageCollector.ACCOUNT), GarbageCollectorSettings.DEFAULT));
      step(4, "create a pod", this::create);
      step(3, "delete a pod", this::delete);
      crashes(1, "scheduler");
      crashes(1, "claims");
      passes(3, Duration.ofSeconds(8));
    }

    /** As all controllers are: they hear of objects in the name of their manager. */
    private ControllerParts informed(String account) {
      ControllerParts parts = parts(account);
      Api reader = unreliable(cluster.api("system:kube-controller-manager", account));
      return new ControllerParts(
          parts.api(),
          Informers.separate(reader, parts.time()),
          parts.time(),
          parts.metrics(),
          parts.warnings());
    }

    private Scheduler scheduler() {
      Scheduler scheduler =
          Scheduler.start(
              new Scheduler.Parts(
                  unreliable(cluster.schedulersApi()),
                  cluster.time(),
                  new Metrics(),
                  ConfigurationReader.defaults(),
                  "test"));
      scheduler.lead();
      return scheduler;
    }

    private void create() {
      cluster.pod(
          "pod" + created++,
          "100m",
          "{'resourceClaims':[{'name':'x','resourceClaimTemplateName':'one'}]}");
    }

    private void delete() {
      anyPod().ifPresent(pod -> cluster.delete(PODS, ObjectName.of(pod)));
    }

    @Override
    protected void checkInvariant() {
      Set<DeviceId> given = new HashSet<>();
      for (JsonObject claim : cluster.list(RESOURCE_CLAIMS)) {
        for (JsonObject result : ResourceClaimView.read(claim).results()) {
          assertThat(given.add(DeviceId.read(result)))
              .as("%s is given once", DeviceId.read(result))
              .isTrue();
        }
      }
    }

    @Override
    protected void checkEnd() {
      checkInvariant();
      long pods = cluster.list(PODS).size();
      long placed =
          cluster.list(PODS).stream()
              .filter(pod -> !pod.object("spec").text("nodeName", "").isEmpty())
              .count();
      assertThat(placed).as("pods with a node of %d", pods).isEqualTo(Math.min(pods, DEVICES));
      for (JsonObject claim : cluster.list(RESOURCE_CLAIMS)) {
        String owner = Metadata.of(claim).ownerReferences().getFirst().name();
        assertThat(cluster.exists(owner)).as("%s is there", owner).isTrue();
      }
    }
  }
}
