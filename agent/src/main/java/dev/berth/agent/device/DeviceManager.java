package dev.berth.agent.device;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Histogram;
import dev.berth.metrics.Metrics;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.device.DeviceCapacity;
import dev.berth.policy.device.DeviceGrant;
import dev.berth.policy.device.DeviceNeed;
import dev.berth.policy.device.PluginDevice;
import dev.berth.policy.pod.ResourceNames;
import dev.berth.policy.podrun.AdmissionRejection;
import dev.berth.policy.topology.NumaMask;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows the device plugins of this machine and gives their devices to pods, as a kubelet does:
 *
 * <ul>
 *   <li>A plugin registers, is reached at its socket, and lists its devices from then on. Another
 *       that registers the same resource takes its place.
 *   <li>What the node has of them is in its status ({@link DeviceCapacity}).
 *   <li>A pod is given devices when it is let in, and keeps them until it has ended; who has what
 *       is on disk before the pod starts ({@link DeviceCheckpoint}).
 * </ul>
 *
 * <p>Plugins are not trusted to behave: each call has a limit of time, lists are taken one at a
 * time and not too quickly, and nothing that a plugin does holds up pods without its devices.
 *
 * <p>Threads: one loop owns all state; others read {@link DeviceState.View}.
 */
public final class DeviceManager implements PodDevices, PluginTransport.Registrar, AutoCloseable {
  static final String NAME = "devices";

  private static final Logger LOG = LoggerFactory.getLogger(NAME);
  private static final String VERSION = "v1beta1";

  /** Far more than a machine has kinds of devices. */
  private static final int MOST_RESOURCES = 256;

  /** At least so long it takes from one list of a plugin's devices to the next. */
  private static final Duration LIST_PACE = Duration.ofMillis(100);

  /** The node's status is not computed more often than this for the sake of devices. */
  private static final Duration STATUS_PACE = Duration.ofSeconds(1);

  private static final List<Double> SECONDS =
      List.of(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0);

  /**
   * What it is made of.
   *
   * @param sockets the directory of plugins' sockets
   * @param checkpoint the file that outlives the agent
   * @param transport speaks with plugins; asked for when there is one
   * @param nodeChanged told that the node's status is to be computed
   * @param podChanged told of a pod whose devices are in another state
   */
  public record Parts(
      Time time,
      Metrics metrics,
      Path sockets,
      Path checkpoint,
      Supplier<PluginTransport> transport,
      Runnable nodeChanged,
      Consumer<String> podChanged) {}

  private final Parts parts;
  private final Time time;
  private final Loop loop;
  private final DeviceState state;
  private final CheckpointWriter<DeviceCheckpoint> checkpoint;
  private final Map<String, PluginEndpoint> endpoints = new HashMap<>();
  private final Family<Counter> registrations;
  private final Family<Histogram> allocations;
  private boolean isStatusWanted;

  private DeviceManager(Parts parts) {
    this.parts = parts;
    time = parts.time();
    loop = time.start(NAME);
    DeviceCheckpoint known = read(parts.checkpoint());
    state = new DeviceState(known, time.monotonicNow());
    checkpoint =
        new CheckpointWriter<>(
            loop,
            parts.checkpoint(),
            each -> each.write(parts.checkpoint()),
            state::checkpoint,
            known);
    registrations =
        parts
            .metrics()
            .counters(
                "kubelet_device_plugin_registration_total",
                "Registrations of device plugins.",
                "resource_name");
    allocations =
        parts
            .metrics()
            .histograms(
                "kubelet_device_plugin_alloc_duration_seconds",
                "How long device plugins took to make devices ready.",
                SECONDS,
                "resource_name");
  }

  /** Reads what is known from before. */
  public static DeviceManager start(Parts parts) {
    DeviceManager manager = new DeviceManager(parts);
    if (manager.state.size() > 0) {
      manager.expireLater();
    }
    return manager;
  }

  private static DeviceCheckpoint read(Path file) {
    try {
      return DeviceCheckpoint.read(file);
    } catch (IOException e) {
      LOG.error(
          "cannot read {}, which says which pods have which devices; they may be given twice: {}",
          file,
          e.getMessage());
      return DeviceCheckpoint.EMPTY;
    }
  }

  /** The loop that owns all of this; others that give pods something live on it, too. */
  public Loop loop() {
    return loop;
  }

  /** Runs a task on the loop, by any thread; a timer is never refused. */
  public void later(Runnable task) {
    loop.after(Duration.ZERO, task);
  }

  // Plugins.

  Optional<PluginEndpoint> endpoint(String resource) {
    return Optional.ofNullable(endpoints.get(resource));
  }

  @Override
  public void register(Registration registration, Consumer<Optional<String>> then) {
    later(() -> {
      Optional<String> refusal = refusal(registration);
      if (refusal.isPresent()) {
        LOG.warn("a device plugin is refused: {}", refusal.get());
        then.accept(refusal);
      } else {
        registrations.with(registration.resource()).increment();
        dial(registration.resource(), parts.sockets().resolve(registration.endpoint()), then);
      }
    });
  }

  private Optional<String> refusal(Registration registration) {
    if (!registration.version().equals(VERSION)) {
      return Optional.of(
          "requested API version \"%s\" is not supported by kubelet. Supported version is [\"%s\"]"
              .formatted(registration.version(), VERSION));
    }
    if (!ResourceNames.isExtended(registration.resource())) {
      return Optional.of("the ResourceName \"%s\" is invalid".formatted(registration.resource()));
    }
    String endpoint = registration.endpoint();
    if (endpoint.isEmpty()
        || endpoint.indexOf('/') >= 0
        || endpoint.indexOf('\0') >= 0
        || endpoint.equals(".")
        || endpoint.equals("..")
        || endpoint.equals(AgentSocket.NAME)) {
      return Optional.of(
          "the Endpoint \"%s\" is invalid: it must be the name of the plugin's socket in %s"
              .formatted(endpoint, parts.sockets()));
    }
    boolean isNew = state.resource(registration.resource()).isEmpty();
    return isNew && Math.max(state.size(), endpoints.size()) >= MOST_RESOURCES
        ? Optional.of("no more than %d device plugins can register".formatted(MOST_RESOURCES))
        : Optional.empty();
  }

  private void dial(String resource, Path socket, Consumer<Optional<String>> then) {
    PluginEndpoint plugin = new PluginEndpoint(loop, parts.transport().get().plugin(socket));
    plugin.connect(answer -> {
      switch (answer) {
        case Answer.Value<PluginOptions> _ -> {
          connected(resource, plugin);
          then.accept(Optional.empty());
        }
        case Answer.Failed<PluginOptions>(String error) -> {
          LOG.atWarn().addKeyValue("resource", resource).log("a device plugin failed: {}", error);
          plugin.close();
          then.accept(Optional.of(error));
        }
      }
    });
  }

  private void connected(String resource, PluginEndpoint plugin) {
    LOG.atInfo().addKeyValue("resource", resource).log("a device plugin has registered");
    PluginEndpoint before = endpoints.put(resource, plugin);
    if (before != null) {
      before.close();
    }
    state.connected(resource);
    plugin.listAndWatch(
        new PluginConnection.DeviceWatch() {
          @Override
          public void listed(List<PluginDevice> devices, Runnable next) {
            later(() -> DeviceManager.this.listed(resource, plugin, devices, next));
          }

          @Override
          public void ended(String error) {
            later(() -> DeviceManager.this.ended(resource, plugin, error));
          }
        });
  }

  private void listed(
      String resource, PluginEndpoint plugin, List<PluginDevice> devices, Runnable next) {
    if (endpoints.get(resource) != plugin) {
      return;
    }
    state.listed(resource, devices).forEach(parts.podChanged());
    checkpoint.save();
    statusChanged();
    loop.after(LIST_PACE, next);
  }

  private void ended(String resource, PluginEndpoint plugin, String error) {
    if (endpoints.get(resource) != plugin) {
      return;
    }
    LOG.atWarn().addKeyValue("resource", resource).log("a device plugin is gone: {}", error);
    endpoints.remove(resource);
    plugin.close();
    state.stopped(resource, time.monotonicNow());
    statusChanged();
    expireLater();
  }

  private void expireLater() {
    loop.after(
        DeviceCapacity.STOP_GRACE_PERIOD.plusSeconds(1),
        () -> {
          if (state.expire(time.monotonicNow())) {
            checkpoint.save();
            statusChanged();
          }
        });
  }

  private void statusChanged() {
    if (!isStatusWanted) {
      isStatusWanted = true;
      parts.nodeChanged().run();
      loop.after(
          STATUS_PACE,
          () -> {
            isStatusWanted = false;
            parts.nodeChanged().run();
          });
    }
  }

  /** For any thread. */
  DeviceState.View view() {
    return state.view();
  }

  /** What the node's status says of devices. For any thread. */
  public DeviceCapacity capacity() {
    return state.view().capacity(time.monotonicNow());
  }

  // Pods.

  private List<DeviceNeed> needs(JsonObject pod) {
    return DeviceNeed.of(PodSpecView.read(pod.object("spec")), state.view()::isDevice);
  }

  @Override
  public boolean wants(JsonObject pod) {
    return !state.view().isEmpty() && !needs(pod).isEmpty();
  }

  @Override
  public void allocate(JsonObject pod, Consumer<Optional<AdmissionRejection>> then) {
    later(() ->
        give(
            Metadata.of(pod).uid(),
            needs(pod),
            Optional.empty(),
            failure -> then.accept(failure.map(AdmissionRejection::unexpected))));
  }

  /**
   * Gives a container what it asks for, after all containers before it have got theirs. On the
   * loop.
   *
   * @param affinity the NUMA nodes that devices are to be from; empty if that does not matter
   * @param then told why not; nothing if it has all
   */
  public void give(
      JsonObject pod,
      String container,
      Optional<NumaMask> affinity,
      Consumer<Optional<String>> then) {
    List<DeviceNeed> needs = needs(pod);
    int last = -1;
    for (int i = 0; i < needs.size(); i++) {
      last = needs.get(i).container().equals(container) ? i : last;
    }
    give(Metadata.of(pod).uid(), needs.subList(0, last + 1), affinity, then);
  }

  /** Where devices can be had from. On the loop. */
  public DeviceTopology topology(JsonObject pod, List<Integer> numaNodes) {
    return new DeviceTopology(state, pod, needs(pod), numaNodes);
  }

  /** Whether a pod has been given devices. */
  public boolean hasDevices(String podUid) {
    return state.view().assignments().hasPod(podUid);
  }

  /** Gives a pod all that it asks for and does not have, or nothing. On the loop. */
  void give(
      String podUid,
      List<DeviceNeed> needs,
      Optional<NumaMask> affinity,
      Consumer<Optional<String>> then) {
    boolean hadSome = state.assignments().hasPod(podUid);
    Consumer<Optional<String>> done =
        failure -> {
          if (failure.isPresent() && !hadSome) {
            state.release(podUid);
            checkpoint.save();
          }
          then.accept(failure);
        };
    new PodAllocation(
            this,
            state,
            podUid,
            needs,
            affinity,
            failure -> {
              if (failure.isPresent()) {
                done.accept(failure);
              } else {
                checkpoint.save(done);
              }
            })
        .run();
  }

  /** Has a plugin make devices ready, and notes how long that took. On the loop. */
  void allocate(
      PluginEndpoint plugin,
      String resource,
      Set<String> devices,
      Consumer<Answer<List<DeviceGrant>>> then) {
    Instant began = time.monotonicNow();
    plugin.allocate(
        devices,
        answer -> {
          allocations.with(resource).observe(time.since(began));
          then.accept(answer);
        });
  }

  @Override
  public void prepare(JsonObject pod, String container, Consumer<Answer<DeviceGrant>> then) {
    later(() ->
        new ContainerPreparation(this, state, Metadata.of(pod).uid(), container, needs(pod), then)
            .run());
  }

  @Override
  public void release(String podUid) {
    if (state.view().assignments().hasPod(podUid)) {
      later(() -> {
        state.release(podUid);
        checkpoint.save();
      });
    }
  }

  /** Takes back what a pod was just given. On the loop. */
  public void takeBack(String podUid) {
    state.release(podUid);
    checkpoint.save();
  }

  @Override
  public void retain(Collection<String> podUids) {
    Set<String> kept = Set.copyOf(podUids);
    later(() -> {
      state.retain(kept);
      checkpoint.save();
    });
  }

  @Override
  public JsonObject withAssigned(JsonObject node, String podUid) {
    DeviceState.View view = state.view();
    if (!view.assignments().hasPod(podUid)) {
      return node;
    }
    JsonObject changed = node;
    for (Map.Entry<String, SortedSet<String>> used : view.assignments().inUse().entrySet()) {
      long needed = used.getValue().size();
      JsonObject allocatable = changed.object("status").object("allocatable");
      if (shown(allocatable, used.getKey()) < needed) {
        changed =
            changed.update(
                "status",
                status -> status.with("allocatable", allocatable.with(used.getKey(), "" + needed)));
      }
    }
    return changed;
  }

  private static long shown(JsonObject allocatable, String resource) {
    return ResourceList.read(allocatable).get(resource).value();
  }

  @Override
  public JsonArray health(String podUid, String container) {
    DeviceState.View view = state.view();
    List<JsonObject> all = new ArrayList<>();
    SortedMap<String, SortedMap<String, Boolean>> health =
        view.assignments().health(podUid, container, view.resources());
    health.forEach((resource, devices) -> {
      List<JsonObject> each = new ArrayList<>();
      devices.forEach((id, works) ->
          each.add(
              new JsonObject.Builder()
                  .put("resourceID", id)
                  .put("health", works ? "Healthy" : "Unhealthy")
                  .build()));
      all.add(
          new JsonObject.Builder()
              .put("name", resource)
              .put("resources", JsonArray.copyOf(each))
              .build());
    });
    return JsonArray.copyOf(all);
  }

  /** Lets go of plugins; what pods have they keep. */
  @Override
  public void close() {
    loop.close();
  }
}
