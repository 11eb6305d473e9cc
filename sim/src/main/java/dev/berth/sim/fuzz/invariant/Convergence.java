package dev.berth.sim.fuzz.invariant;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** W1, W2, N8: once faults end, everything becomes what its specification says. */
public final class Convergence implements Invariant {

  @Override
  public String words() {
    return "everything converges once faults end";
  }

  @Override
  public Optional<String> quiet(ClusterState state) {
    return nodes(state)
        .or(() -> pods(state))
        .or(() ->
            workloads(state, ClusterState.DEPLOYMENTS, "updatedReplicas", "availableReplicas"))
        .or(() -> workloads(state, ClusterState.STATEFUL_SETS, "updatedReplicas", "readyReplicas"))
        .or(() -> daemons(state))
        .or(() -> jobs(state))
        .or(() -> budgets(state))
        .or(() -> owners(state))
        .or(() -> attachments(state));
  }

  private static Optional<String> nodes(ClusterState state) {
    return state.all(ClusterState.NODES).stream()
        .map(NodeView::read)
        .filter(node -> !node.ready() || !node.taints().isEmpty())
        .findFirst()
        .map(node ->
            "node %s is ready: %s, taints %s".formatted(node.name(), node.ready(), node.taints()));
  }

  private static Optional<String> pods(ClusterState state) {
    return state.all(ClusterState.PODS).stream()
        .map(PodTree::new)
        .filter(pod -> pod.terminating() || !(pod.ready() || pod.phase().finished()))
        .findFirst()
        .map(pod ->
            "pod %s is %s%s, on \"%s\": %s"
                .formatted(
                    pod.name(),
                    pod.phase(),
                    pod.terminating() ? " and terminating" : "",
                    pod.nodeName(),
                    pod.tree().object("status").array("conditions")));
  }

  private static Optional<String> workloads(ClusterState state, String resource, String... counts) {
    for (JsonObject workload : state.all(resource)) {
      long wanted = workload.object("spec").integer("replicas").orElse(1);
      JsonObject status = workload.object("status");
      boolean isSeen =
          status.integer("observedGeneration").orElse(0) == Metadata.of(workload).generation();
      boolean hasAll =
          List.of(counts).stream().allMatch(count -> status.integer(count).orElse(0) == wanted)
              && status.integer("replicas").orElse(0) == wanted;
      if (!isSeen || !hasAll) {
        return Optional.of(
            "%s %s wants %d replicas and has the status %s"
                .formatted(resource, ObjectName.of(workload), wanted, status));
      }
    }
    return Optional.empty();
  }

  private static Optional<String> daemons(ClusterState state) {
    int nodes = state.all(ClusterState.NODES).size();
    return state.all(ClusterState.DAEMON_SETS).stream()
        .filter(set -> set.object("status").integer("numberReady").orElse(0) != nodes)
        .findFirst()
        .map(set ->
            "%s runs on %s of %d nodes".formatted(ObjectName.of(set), set.object("status"), nodes));
  }

  private static Optional<String> jobs(ClusterState state) {
    return state.all(ClusterState.JOBS).stream()
        .filter(job -> {
          var conditions = job.object("status").array("conditions");
          return !Conditions.isTrue(conditions, "Complete")
              && !Conditions.isTrue(conditions, "Failed");
        })
        .findFirst()
        .map(job -> "job %s has not ended: %s".formatted(ObjectName.of(job), job.object("status")));
  }

  private static Optional<String> budgets(ClusterState state) {
    for (JsonObject budget : state.all(ClusterState.BUDGETS)) {
      long ready =
          state.podsOf(Metadata.of(budget).name()).stream()
              .filter(pod -> pod.ready() && !pod.terminating())
              .count();
      long told = budget.object("status").integer("currentHealthy").orElse(0);
      if (told != ready) {
        return Optional.of(
            "budget %s says that %d pods are healthy, and %d are"
                .formatted(ObjectName.of(budget), told, ready));
      }
    }
    return Optional.empty();
  }

  private static Optional<String> owners(ClusterState state) {
    Set<String> there = new HashSet<>();
    for (String resource : ClusterState.KEPT) {
      state.all(resource).forEach(object -> there.add(Metadata.of(object).uid()));
    }
    for (String resource : List.of(ClusterState.PODS, ClusterState.REPLICA_SETS)) {
      for (JsonObject object : state.all(resource)) {
        for (OwnerReference owner : Metadata.of(object).ownerReferences()) {
          if (!there.contains(owner.uid())) {
            return Optional.of(
                "%s %s has an owner that is gone: %s"
                    .formatted(resource, ObjectName.of(object), owner));
          }
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> attachments(ClusterState state) {
    Set<String> wanted = new HashSet<>();
    for (JsonObject tree : state.all(ClusterState.PODS)) {
      PodTree pod = new PodTree(tree);
      for (JsonObject volume : tree.object("spec").array("volumes").objects()) {
        String claim = volume.object("persistentVolumeClaim").text("claimName", "");
        JsonObject found =
            state.find(ClusterState.CLAIMS, new ObjectName(pod.name().namespace(), claim));
        if (found != null && !pod.phase().finished()) {
          wanted.add(found.object("spec").text("volumeName", "") + " on " + pod.nodeName());
        }
      }
    }
    Set<String> attached = new HashSet<>();
    for (JsonObject attachment : state.all(ClusterState.ATTACHMENTS)) {
      JsonObject spec = attachment.object("spec");
      attached.add(
          spec.object("source").text("persistentVolumeName", "")
              + " on "
              + spec.text("nodeName", ""));
    }
    return wanted.equals(attached)
        ? Optional.empty()
        : Optional.of("attached are %s, and used are %s".formatted(attached, wanted));
  }
}
