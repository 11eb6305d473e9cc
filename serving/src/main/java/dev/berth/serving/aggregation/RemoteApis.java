package dev.berth.serving.aggregation;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.ObjectName;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.ResourceChanges;
import dev.berth.registry.StoredEncoding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Which groups and versions other servers answer for, by the APIServices that name a service. Read
 * anew after a change, so that one takes effect with the next request. For any thread.
 */
public final class RemoteApis {
  private final Registry registry;
  private final Resource apiServices;
  private final ResourceChanges changes;
  private final AtomicLong generation = new AtomicLong();
  private volatile @Nullable Known known;

  private record Known(long generation, Map<GroupVersion, RemoteApi> apis) {}

  public RemoteApis(Registry registry) {
    this.registry = registry;
    this.apiServices = registry.catalog().get("apiregistration.k8s.io", "v1", "apiservices");
    this.changes =
        ResourceChanges.of(
            registry,
            List.of(apiServices),
            new ResourceChanges.Listener() {
              @Override
              public void changed(Resource resource, ObjectName name) {
                generation.incrementAndGet();
              }

              @Override
              public void lost() {
                generation.incrementAndGet();
              }
            });
  }

  /** All of them, by the names of their APIServices. */
  public Map<GroupVersion, RemoteApi> all() {
    changes.deliver();
    long now = generation.get();
    Known last = known;
    if (last == null || last.generation != now) {
      last = new Known(now, read());
      known = last;
    }
    return last.apis;
  }

  private Map<GroupVersion, RemoteApi> read() {
    Map<GroupVersion, RemoteApi> apis = new LinkedHashMap<>();
    registry.list(apiServices, ListOptions.ALL).entries().stream()
        .map(StoredEncoding::tree)
        .flatMap(tree -> RemoteApi.read(tree).stream())
        .forEach(api -> apis.put(api.version(), api));
    return apis;
  }

  /** Who answers for a path such as {@code /apis/GROUP/VERSION/...}; empty if this server does. */
  public Optional<RemoteApi> answering(String path) {
    Map<GroupVersion, RemoteApi> apis = all();
    if (apis.isEmpty() || !path.startsWith("/apis/")) {
      return Optional.empty();
    }
    String[] steps = path.split("/", 5);
    return steps.length < 4
        ? Optional.empty()
        : Optional.ofNullable(apis.get(new GroupVersion(steps[2], steps[3])));
  }
}
