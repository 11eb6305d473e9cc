package dev.berth.agent.topology;

import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.podrun.AdmissionRejection;
import dev.berth.policy.topology.TopologyDecision;
import dev.berth.policy.topology.TopologyDecision.Hints;
import dev.berth.policy.topology.TopologyHint;
import dev.berth.policy.topology.TopologyPolicy;
import dev.berth.policy.topology.TopologyScope;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Lets one pod in, as a kubelet does: for each container, init containers first, all who give
 * something say where it could be had from, the best place is found, and all give from there:
 * devices, then processors, then memory. With the scope {@code pod} the place is found once, for
 * all containers. A pod gets all or nothing. Lives on the loop of the devices.
 */
final class TopologyAdmission {
  private static final AdmissionRejection NO_PLACE =
      new AdmissionRejection(
          "TopologyAffinityError", "Resources cannot be allocated with Topology locality");

  private final ResourceManagers managers;
  private final TopologyPolicy policy;
  private final TopologyScope scope;
  private final JsonObject pod;
  private final String uid;
  private final PodSpecView spec;
  private final List<ContainerView> containers;
  private final Consumer<Optional<AdmissionRejection>> then;
  private boolean hadSome;
  private Runnable done = () -> {};
  private Instant began = Instant.EPOCH;
  private int next;

  TopologyAdmission(
      ResourceManagers managers, JsonObject pod, Consumer<Optional<AdmissionRejection>> then) {
    this.managers = managers;
    this.policy = managers.plan().settings().topologyPolicy();
    this.scope = managers.plan().settings().scope();
    this.pod = pod;
    this.uid = Metadata.of(pod).uid();
    this.spec = PodSpecView.read(pod.object("spec"));
    this.containers =
        Stream.concat(spec.initContainers().stream(), spec.containers().stream()).toList();
    this.then = then;
  }

  /**
   * @param ended run when the pod is let in, or is not
   */
  void run(Runnable ended) {
    done = ended;
    began = managers.time().monotonicNow();
    hadSome = managers.hasSome(uid);
    managers.metrics().asked();
    // Nobody looks: the same as what nobody could say.
    TopologyHint hint = TopologyHint.NOWHERE;
    if (policy != TopologyPolicy.NONE && scope == TopologyScope.POD) {
      TopologyDecision decision = decide(managers.podHints(pod, spec));
      count(decision.isAdmitted());
      if (!decision.isAdmitted()) {
        end(Optional.of(NO_PLACE));
        return;
      }
      hint = decision.hint();
    }
    step(hint);
  }

  private TopologyDecision decide(List<Hints> hints) {
    return TopologyDecision.decide(
        policy, managers.plan().settings().topologyOptions(), managers.plan().nodes(), hints);
  }

  private void count(boolean fits) {
    if (policy == TopologyPolicy.SINGLE_NUMA_NODE) {
      managers.metrics().onOneNode(scope.text(), fits);
    }
  }

  /**
   * @param ofPod where to take things from, unless each container has a place of its own
   */
  private void step(TopologyHint ofPod) {
    if (next == containers.size()) {
      managers.save(failure -> end(failure.map(AdmissionRejection::unexpected)));
      return;
    }
    ContainerView container = containers.get(next);
    TopologyHint hint = ofPod;
    if (policy != TopologyPolicy.NONE && scope == TopologyScope.CONTAINER) {
      TopologyDecision decision = decide(managers.hints(pod, spec, container));
      count(decision.isAdmitted());
      if (!decision.isAdmitted()) {
        end(Optional.of(NO_PLACE));
        return;
      }
      hint = decision.hint();
    }
    give(container, hint, ofPod);
  }

  private void give(ContainerView container, TopologyHint hint, TopologyHint ofPod) {
    managers
        .devices()
        .give(
            pod,
            container.name(),
            hint.affinity(),
            failure -> {
              Optional<AdmissionRejection> why =
                  failure
                      .map(AdmissionRejection::unexpected)
                      .or(() -> managers.giveCpus(uid, spec, container, hint))
                      .or(() -> managers.giveMemory(uid, spec, container, hint));
              if (why.isPresent()) {
                end(why);
              } else {
                next++;
                step(ofPod);
              }
            });
  }

  private void end(Optional<AdmissionRejection> rejection) {
    if (rejection.isPresent() && !hadSome) {
      managers.takeBack(uid);
    }
    Duration took = managers.time().since(began);
    managers.metrics().answered(took, rejection.isEmpty());
    then.accept(rejection);
    done.run();
  }
}
