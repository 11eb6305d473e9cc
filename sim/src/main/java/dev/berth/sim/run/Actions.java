package dev.berth.sim.run;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.hollow.HollowAnnotations;
import dev.berth.model.config.ConfigException;
import dev.berth.model.core.Condition;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TaintChange;
import dev.berth.sim.record.ClusterRecorder;
import dev.berth.sim.record.Recording.Note;
import dev.berth.sim.scenario.NodeChoice;
import dev.berth.sim.scenario.ScenarioAction;
import dev.berth.sim.scenario.SimulatedComponent;
import dev.berth.sim.scenario.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Does to a cluster what a scenario says, as its administrator. */
final class Actions implements AutoCloseable {
  private static final List<GroupVersionResource> SCALABLE =
      List.of(Resources.DEPLOYMENTS, Resources.STATEFUL_SETS, Resources.REPLICA_SETS);
  private static final String MANAGER = "scenario";

  private final ScenarioCluster cluster;
  private final ClusterRecorder recorder;
  private final RandomGenerator chance;
  private final BiConsumer<Duration, Runnable> after;
  private final Api api;
  private final ServedKinds kinds;
  private final Drainer drainer;

  /**
   * @param after has something done later
   */
  Actions(
      ScenarioCluster cluster,
      ClusterRecorder recorder,
      RandomGenerator chance,
      BiConsumer<Duration, Runnable> after) {
    this.cluster = cluster;
    this.recorder = recorder;
    this.chance = chance;
    this.after = after;
    api = cluster.api();
    kinds = new ServedKinds(api);
    drainer =
        new Drainer(
            api,
            cluster.time(),
            (node, on) -> annotate(node, HollowAnnotations.SILENT, on ? null : "true"),
            text -> recorder.note(Note.Kind.DRAIN, text));
  }

  void create(JsonObject object) {
    GroupVersionResource resource = kinds.resource(object);
    JsonObject placed = kinds.placed(object);
    switch (api.create(resource, placed)) {
      case ApiResult.Done _ -> {}
      case ApiResult.Failure failure -> throw refused(object, failure);
    }
  }

  /** Creates a workload, and the namespace that it is in if there is none of that name. */
  void start(Workload workload) {
    String name = ObjectName.of(workload.objects().getFirst()).namespace();
    JsonObject namespace =
        new JsonObject.Builder()
            .put("apiVersion", "v1")
            .put("kind", "Namespace")
            .put("metadata", JsonObject.of("name", name))
            .build();
    if (api.get(Resources.NAMESPACES, ObjectName.of(name)) instanceof ApiResult.Failure why
        && why.isNotFound()) {
      create(namespace);
    }
    workload.objects().forEach(this::create);
  }

  private static ConfigException refused(JsonObject object, ApiResult.Failure failure) {
    return new ConfigException(
        "The simulated cluster refuses the %s %s: %s"
            .formatted(object.text("kind", ""), ObjectName.of(object).name(), failure.message()));
  }

  void delete(JsonObject object) {
    JsonObject placed = kinds.placed(object);
    api.delete(
        kinds.resource(object),
        ObjectName.of(placed),
        DeleteOptions.NONE.propagation(DeleteOptions.Propagation.BACKGROUND));
  }

  void perform(ScenarioAction action) {
    recorder.note(Note.Kind.ACTION, action.words());
    switch (action) {
      case ScenarioAction.Silence(NodeChoice nodes, Optional<Duration> lasts) ->
          silence(choose(nodes), lasts);
      case ScenarioAction.Kill(NodeChoice nodes, Optional<Duration> lasts) ->
          silence(choose(nodes), lasts);
      case ScenarioAction.Restore(NodeChoice nodes) -> each(choose(nodes), this::restore);
      case ScenarioAction.Flap flap -> flap(choose(flap.nodes()), flap, flap.times());
      case ScenarioAction.Pressure pressure -> pressure(choose(pressure.nodes()), pressure);
      case ScenarioAction.AddTaint(NodeChoice nodes, Taint taint) ->
          each(choose(nodes), node -> taint(node, Optional.of(taint), Optional.empty()));
      case ScenarioAction.RemoveTaint(NodeChoice nodes, Taint taint) ->
          each(choose(nodes), node -> taint(node, Optional.empty(), Optional.of(taint)));
      case ScenarioAction.Cordon(NodeChoice nodes, boolean on) ->
          each(
              choose(nodes),
              node -> patch(node, JsonObject.of("spec", JsonObject.of("unschedulable", on))));
      case ScenarioAction.Drain drain -> drainer.drain(choose(drain.nodes()), drain);
      case ScenarioAction.Apply(List<JsonObject> objects) -> objects.forEach(this::apply);
      case ScenarioAction.Scale scale -> scale(scale);
      case ScenarioAction.Restart(List<SimulatedComponent> components) ->
          components.forEach(cluster::restart);
      case ScenarioAction.Partition(
              List<SimulatedComponent> components,
              Optional<Duration> lasts) -> {
        components.forEach(cluster::cut);
        lasts.ifPresent(span -> after.accept(span, () -> components.forEach(cluster::heal)));
      }
      case ScenarioAction.Heal(List<SimulatedComponent> components) ->
          components.forEach(cluster::heal);
    }
  }

  private List<String> choose(NodeChoice nodes) {
    List<JsonObject> all =
        switch (api.list(ListRequest.of(Resources.NODES))) {
          case ListResult.Page page -> page.items();
          case ApiResult.Failure failure ->
              throw new IllegalStateException("cannot list nodes: " + failure.message());
        };
    return nodes.choose(all.stream().map(NodeView::read).toList(), chance);
  }

  private void silence(List<String> nodes, Optional<Duration> lasts) {
    each(nodes, node -> annotate(node, HollowAnnotations.SILENT, "true"));
    lasts.ifPresent(span -> after.accept(span, () -> each(nodes, this::restore)));
  }

  private void restore(String node) {
    annotate(node, HollowAnnotations.SILENT, null);
    relieve(node);
  }

  private void flap(List<String> nodes, ScenarioAction.Flap flap, int times) {
    each(nodes, node -> annotate(node, HollowAnnotations.SILENT, "true"));
    after.accept(
        flap.down(),
        () -> {
          each(nodes, this::restore);
          if (times > 1) {
            after.accept(flap.up(), () -> flap(nodes, flap, times - 1));
          }
        });
  }

  private void pressure(List<String> nodes, ScenarioAction.Pressure pressure) {
    // Where memory is missing, the node reports its condition by itself until enough was freed.
    String conditions =
        pressure.conditions().stream()
            .filter(condition ->
                pressure.missing().isEmpty() || !condition.equals(Condition.MEMORY_PRESSURE))
            .collect(Collectors.joining(","));
    each(
        nodes,
        node -> {
          annotate(node, HollowAnnotations.CONDITIONS, conditions.isEmpty() ? null : conditions);
          pressure
              .missing()
              .ifPresent(memory -> annotate(node, HollowAnnotations.MEMORY_MISSING, memory));
        });
    pressure.lasts().ifPresent(span -> after.accept(span, () -> each(nodes, this::relieve)));
  }

  private void relieve(String node) {
    annotate(node, HollowAnnotations.CONDITIONS, null);
    annotate(node, HollowAnnotations.MEMORY_MISSING, null);
  }

  /** What happens to nodes happens to all of them at once, as far as time allows. */
  private void each(List<String> nodes, Consumer<String> action) {
    cluster
        .time()
        .together(nodes.stream().map(node -> (Runnable) () -> action.accept(node)).toList());
  }

  private void annotate(String node, String key, @Nullable String value) {
    JsonObject annotations = JsonObject.of(key, value == null ? JsonNull.NULL : value);
    patch(node, JsonObject.of("metadata", JsonObject.of("annotations", annotations)));
  }

  /** A node may be gone meanwhile, which is no mistake. */
  private void patch(String node, JsonObject patch) {
    Target target = Target.of(Resources.NODES, ObjectName.of(node));
    if (api.patch(target, PatchType.MERGE, patch) instanceof ApiResult.Failure why
        && !why.isNotFound()) {
      throw new ConfigException(
          "The simulated cluster refuses the change of the node %s: %s"
              .formatted(node, why.message()));
    }
  }

  private void taint(String node, Optional<Taint> add, Optional<Taint> remove) {
    if (!(api.get(Resources.NODES, ObjectName.of(node))
        instanceof ApiResult.Done(JsonObject tree))) {
      return;
    }
    JsonArray taints = tree.object("spec").array("taints");
    List<Taint> gone =
        remove.stream()
            .flatMap(wanted ->
                taints.objects().stream()
                    .map(Taint::read)
                    .filter(taint ->
                        taint.key().equals(wanted.key())
                            && (wanted.effect() == TaintEffect.UNKNOWN
                                || taint.effect() == wanted.effect())))
            .toList();
    JsonArray changed =
        new TaintChange(add.stream().toList(), gone).applyTo(taints, cluster.time().now());
    patch(node, JsonObject.of("spec", JsonObject.of("taints", changed)));
  }

  private void apply(JsonObject object) {
    JsonObject placed = kinds.placed(object);
    Target target = Target.of(kinds.resource(object), ObjectName.of(placed));
    switch (api.send(new ApiRequest.Apply(target, placed, MANAGER, true))) {
      case ApiResult.Done _ -> {}
      case ApiResult.Failure failure -> throw refused(object, failure);
    }
  }

  private void scale(ScenarioAction.Scale scale) {
    JsonObject patch = JsonObject.of("spec", JsonObject.of("replicas", (long) scale.replicas()));
    for (GroupVersionResource resource : SCALABLE) {
      boolean fits =
          scale.kind().isEmpty() || resource.equals(kinds.resource("apps/v1", scale.kind()));
      List<ObjectName> found = fits ? named(resource, scale.workload()) : List.of();
      if (found.size() > 1) {
        throw new ConfigException(
            "There are several workloads of that name: say which of "
                + found.stream().map(ObjectName::toString).collect(Collectors.joining(", ")));
      }
      if (!found.isEmpty()
          && api.patch(Target.of(resource, found.getFirst()), PatchType.MERGE, patch).isDone()) {
        return;
      }
    }
    throw new ConfigException("There is no workload %s to scale.".formatted(scale.workload()));
  }

  /** The objects of a name; in all namespaces if it says none. */
  private List<ObjectName> named(GroupVersionResource resource, ObjectName name) {
    ListRequest all = ListRequest.of(resource).fields("metadata.name=" + name.name());
    return api.list(name.namespace().isEmpty() ? all : all.in(name.namespace()))
            instanceof ListResult.Page page
        ? page.items().stream().map(ObjectName::of).toList()
        : List.of();
  }

  @Override
  public void close() {
    drainer.close();
  }
}
