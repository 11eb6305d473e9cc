package dev.berth.sim.endpointslice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.controllers.endpointslice.EndpointSliceController;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.endpoint.EndpointPod;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.history.History;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Pods come, go and change while the controller crashes and its server fails now and then: once
 * quiet, each pod of a service is in one slice, as it is, and nobody else is.
 */
class SlicesConvergeTest {
  private static final int STEPS = 60;

  @SeededTest(fixed = 20, fresh = 10)
  void onceQuietEachPodIsInOneSlice(long seed) {
    History.run(() -> new Run(seed));
  }

  private static final class Run extends History {
    private int created;

    Run(long seed) {
      super(seed, STEPS, Duration.ofMinutes(10));
      cluster.node("n", "4");
      cluster.create(
          Resources.SERVICES,
          "{'metadata':{'namespace':'default','name':'web'},'spec':{'selector':{'app':'web'},'ports':[{'port':80}]}}");
      cluster.run(
          "endpoint-slices",
          () -> EndpointSliceController.start(parts(EndpointSliceController.ACCOUNT)));
      step(4, "create pods", this::createSome);
      step(4, "delete pods", () -> someThirdOfPods(this::delete));
      step(2, "pods change", () -> someThirdOfPods(this::change));
      crashes(1, "endpoint-slices");
      passes(4, Duration.ofSeconds(3));
    }

    private void createSome() {
      for (int i = random.nextInt(60); i > 0; i--) {
        pod();
      }
    }

    private void someThirdOfPods(Consumer<JsonObject> change) {
      cluster.list(Resources.PODS).stream().filter(_ -> random.nextInt(3) == 0).forEach(change);
    }

    private void delete(JsonObject pod) {
      cluster.delete(Resources.PODS, ObjectName.of(pod));
    }

    private void change(JsonObject pod) {
      status(Metadata.of(pod).name(), random.nextBoolean());
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

    @Override
    protected void checkEnd() {
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
      assertThat(written).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(cluster.list(Resources.ENDPOINT_SLICES))
          .allSatisfy(slice -> assertThat(slice.array("endpoints").size()).isLessThan(101));
    }
  }
}
