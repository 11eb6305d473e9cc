package dev.berth.apiserver.aggregation;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.StatusException;
import dev.berth.serving.aggregation.RemoteApi;
import dev.berth.serving.aggregation.RemoteApiConnector;
import dev.berth.serving.aggregation.RemoteResources;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps APIServices: there is one for each group and version that this server has, and each says
 * whether somebody answers for it. Looks every second at what is stored, which is little and in
 * memory. A server that answers is asked again every 30 s; one that does not, after 1 s, 2 s and so
 * on up to that, or at once when its APIService changes. Nothing durable: all of it is found anew
 * after a restart.
 */
public final class ApiServiceController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("apiservice-controller");
  private static final WriteOptions STATUS =
      new WriteOptions(false, "status", "kube-apiserver", User.SERVER);
  private static final Duration PASS = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final int INTERNAL_ERROR = 500;

  private final Registry registry;
  private final Resource apiServices;
  private final RemoteApiCheck checks;
  private final RemoteResources resources;
  private final Time time;
  private final Loop loop;
  private final Map<RemoteApi, Schedule> schedules = new HashMap<>();
  private final Set<RemoteApi> underWay = new HashSet<>();

  /** When to ask next, on the monotonic clock, and how long to wait after that. */
  private record Schedule(Instant next, Duration delay) {}

  /**
   * @param resources is told what other servers have, for discovery
   */
  public ApiServiceController(
      Registry registry, RemoteApiConnector connector, RemoteResources resources, Time time) {
    this.registry = registry;
    this.apiServices = registry.catalog().get("apiregistration.k8s.io", "v1", "apiservices");
    this.checks = new RemoteApiCheck(registry, connector);
    this.resources = resources;
    this.time = time;
    this.loop = time.start("apiservices");
  }

  public void start() {
    loop.offer(this::pass);
  }

  private void pass() {
    List<JsonObject> all =
        registry.list(apiServices, ListOptions.ALL).entries().stream()
            .map(StoredEncoding::tree)
            .toList();
    LocalApiServices.Changes changes = LocalApiServices.changes(registry.catalog(), all);
    changes.create().forEach(this::create);
    changes.delete().forEach(this::delete);
    Set<RemoteApi> remote = new HashSet<>();
    for (JsonObject apiService : all) {
      Optional<RemoteApi> api = RemoteApi.read(apiService).map(RemoteApi::asked);
      if (api.isPresent()) {
        remote.add(api.get());
        checkIfDue(api.get());
      } else {
        report(Metadata.of(apiService).name(), Availability.LOCAL);
      }
    }
    schedules.keySet().retainAll(remote);
    resources.retain(remote);
    loop.after(PASS, this::pass);
  }

  private void checkIfDue(RemoteApi api) {
    Schedule schedule = schedules.get(api);
    boolean due = schedule == null || !schedule.next.isAfter(time.monotonicNow());
    if (due && underWay.add(api)) {
      boolean began = loop.call(() -> checks.check(api), result -> checked(api, result));
      if (!began) {
        underWay.remove(api);
      }
    }
  }

  private void checked(RemoteApi api, RemoteApiCheck.Result result) {
    underWay.remove(api);
    Schedule last = schedules.get(api);
    Duration wait = PASS;
    if (result.availability().isTrue()) {
      wait = LONGEST;
      resources.learned(api, result.resources(), result.openApi());
    } else if (last != null && last.delay.compareTo(LONGEST) < 0) {
      Duration longer = last.delay.multipliedBy(2);
      wait = longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
    }
    schedules.put(api, new Schedule(time.monotonicNow().plus(wait), wait));
    report(api.name(), result.availability());
  }

  private void report(String name, Availability availability) {
    attempt(
        name,
        () -> {
          ObjectName object = ObjectName.of(name);
          JsonObject status =
              registry
                  .find(apiServices, object)
                  .map(found -> found.tree().object("status"))
                  .orElse(null);
          if (status == null || availability.in(status, registry.now()).equals(status)) {
            return;
          }
          registry.modify(
              apiServices,
              object,
              STATUS,
              old -> old.with("status", availability.in(old.object("status"), registry.now())));
          if (!availability.isTrue()) {
            LOG.atWarn()
                .addKeyValue("apiservice", name)
                .addKeyValue("reason", availability.message())
                .log("an aggregated API is not available");
          }
        });
  }

  private void create(JsonObject apiService) {
    String name = Metadata.of(apiService).name();
    attempt(name, () -> registry.create(apiServices, "", apiService, WriteOptions.DEFAULT));
    report(name, Availability.LOCAL);
  }

  private void delete(String name) {
    attempt(name, () -> registry.delete(apiServices, ObjectName.of(name), DeletionOptions.DEFAULT));
  }

  /** Whatever somebody else did meanwhile is seen in the next pass. */
  private static void attempt(String name, Runnable write) {
    try {
      write.run();
    } catch (StatusException e) {
      if (e.status().code() >= INTERNAL_ERROR) {
        LOG.atWarn()
            .addKeyValue("apiservice", name)
            .addKeyValue("reason", e.getMessage())
            .log("cannot write an APIService");
      }
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
