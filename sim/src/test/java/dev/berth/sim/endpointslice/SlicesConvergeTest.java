package dev.berth.sim.endpointslice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.controllers.endpointslice.EndpointSlices;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.endpoint.EndpointPod;
import dev.berth.sim.FaultyApi;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pods come, go and change while the controller crashes and its server fails now and then: once
 * quiet, each pod of a service is in one slice, as it is, and nobody else is.
 */
class SlicesConvergeTest {
  private static final int STEPS = 60;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 30);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void onceQuietEachPodIsInOneSlice(long seed) {
    try (VirtualCluster cluster = new VirtualCluster(seed)) {
      Run run = new Run(cluster, new Random(seed));
      for (int step = 0; step < STEPS; step++) {
        run.step();
      }
      run.calmDown();
    }
  }

  /** One history. */
  private static final class Run {
    private final VirtualCluster cluster;
    private final Random random;
    private final List<FaultyApi> apis = new ArrayList<>();
    private int created;

    Run(VirtualCluster cluster, Random random) {
      this.cluster = cluster;
      this.random = random;
      cluster.node("n", "4");
      cluster.create(
          Resources.SERVICES,
          "{'metadata':{'namespace':'default','name':'web'},'spec':{'selector':{'app':'web'},'ports':[{'port':80}]}}");
      cluster.run("endpoint-slices", () -> EndpointSlices.start(parts()));
    }

    private ControllerParts parts() {
      ControllerParts real = cluster.parts(EndpointSlices.ACCOUNT);
      FaultyApi faulty = new FaultyApi(real.api(), new Random(random.nextLong()));
      apis.add(faulty);
      return new ControllerParts(faulty, real.time(), real.metrics(), real.instance(), _ -> {});
    }

    void step() {
      switch (random.nextInt(8)) {
        case 0, 1 -> {
          for (int i = random.nextInt(60); i > 0; i--) {
            pod();
          }
        }
        case 2, 3 ->
            change(pod -> {
              if (random.nextInt(3) == 0) {
                cluster.delete(Resources.PODS, ObjectName.of(pod));
              }
            });
        case 4 ->
            change(pod -> {
              if (random.nextInt(3) == 0) {
                status(Metadata.of(pod).name(), random.nextBoolean());
              }
            });
        case 5 -> {
          cluster.crash("endpoint-slices");
          cluster.restart("endpoint-slices");
        }
        default -> cluster.advance(Duration.ofMillis(random.nextInt(3_000)));
      }
      if (random.nextInt(3) == 0) {
        cluster.settle();
      }
    }

    private void change(Consumer<JsonObject> change) {
      cluster.list(Resources.PODS).forEach(change);
    }

    private void pod() {
      int number = created++;
      cluster.create(
          Resources.PODS,
          "{'metadata':{'namespace':'default','name':'p%d','labels':{'app':'web'}},'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}"
              .formatted(number));
      status("p" + number, true);
    }

    private void status(String name, boolean ready) {
      int number = Integer.parseInt(name.substring(1));
      cluster.patchStatus(
          Resources.PODS,
          VirtualCluster.podName(name),
          "{'status':{'phase':'Running','podIP':'10.%d.%d.1','podIPs':[{'ip':'10.%d.%d.1'}],'conditions':[{'type':'Ready','status':'%s'}]}}"
              .formatted(
                  number / 250,
                  number % 250,
                  number / 250,
                  number % 250,
                  ready ? "True" : "False"));
    }

    void calmDown() {
      apis.forEach(FaultyApi::heal);
      cluster.advance(Duration.ofMinutes(10));
      List<String> expected =
          cluster.list(Resources.PODS).stream()
              .map(EndpointPod::read)
              .map(pod -> pod.uid() + " " + pod.ready())
              .toList();
      List<String> written =
          cluster.list(Resources.ENDPOINT_SLICES).stream()
              .flatMap(slice -> slice.array("endpoints").objects().stream())
              .map(endpoint ->
                  endpoint.object("targetRef").text("uid", "")
                      + " "
                      + endpoint.object("conditions").flag("ready", false))
              .toList();
      assertThat(written)
          .as("seed %d", cluster.time().seed())
          .containsExactlyInAnyOrderElementsOf(expected);
      assertThat(cluster.list(Resources.ENDPOINT_SLICES))
          .as("seed %d", cluster.time().seed())
          .allSatisfy(slice -> assertThat(slice.array("endpoints").size()).isLessThan(101));
    }
  }
}
