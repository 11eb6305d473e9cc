package dev.berth.agent.objects;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.client.informer.Cache;
import dev.berth.model.meta.Metadata;
import dev.berth.model.reference.PodReferences;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The config maps and secrets that this node's pods refer to, each read once and followed for as
 * long as a pod refers to it; and all services.
 *
 * <p>While the server cannot be reached, what is known is what was known last. What no pod refers
 * to is read anew each time, and so is what exceeds {@link #MOST_WATCHED}.
 */
public final class WatchedObjects implements PodObjects, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger("objects");

  /** A watch costs the server a connection's stream; a full node has some hundred. */
  private static final int MOST_WATCHED = 2_000;

  private final Api api;
  private final Time time;
  private final Loop loop;
  private final Consumer<String> changed;

  /** Guarded by itself, with {@link #byPod}. */
  private final Map<Key, Entry> objects = new HashMap<>();

  /** By uid. */
  private final Map<String, Set<Key>> byPod = new HashMap<>();

  private final Map<String, ConcurrentSkipListMap<String, JsonObject>> services =
      new ConcurrentHashMap<>();
  private final Cache serviceCache;
  private volatile boolean hasServices;

  private record Key(GroupVersionResource resource, ObjectName name) {}

  /** An object and the pods that refer to it. */
  private record Entry(WatchedObject object, Set<String> pods) {}

  /**
   * @param loop what watches tell is taken by its tasks
   * @param changed told the uid of a pod by a task of the loop when something has changed that the
   *     pod refers to
   */
  public WatchedObjects(Api api, Time time, Loop loop, Consumer<String> changed) {
    this.api = api;
    this.time = time;
    this.loop = loop;
    this.changed = changed;
    this.serviceCache =
        new Cache(api, loop, time, ListRequest.of(Resources.SERVICES), new Services());
  }

  /** Begins to follow services. */
  public void start() {
    serviceCache.start();
  }

  /** Follows what a pod refers to from now on; done again for a pod that has changed. */
  public void use(JsonObject pod) {
    Metadata metadata = Metadata.of(pod);
    PodReferences references = PodReferences.of(pod);
    Set<Key> keys = new LinkedHashSet<>();
    String namespace = metadata.namespace();
    for (String name : references.configMaps()) {
      keys.add(new Key(Resources.CONFIG_MAPS, new ObjectName(namespace, name)));
    }
    for (String name : references.secrets()) {
      keys.add(new Key(Resources.SECRETS, new ObjectName(namespace, name)));
    }
    replace(metadata.uid(), keys);
  }

  /** No longer follows what only this pod refers to. */
  public void release(String podUid) {
    replace(podUid, Set.of());
  }

  private void replace(String podUid, Set<Key> wanted) {
    synchronized (objects) {
      Set<Key> before = byPod.getOrDefault(podUid, Set.of());
      Set<Key> held = new HashSet<>();
      for (Key key : wanted) {
        if (before.contains(key) || add(key, podUid)) {
          held.add(key);
        }
      }
      for (Key key : before) {
        if (!wanted.contains(key)) {
          remove(key, podUid);
        }
      }
      if (held.isEmpty()) {
        byPod.remove(podUid);
      } else {
        byPod.put(podUid, held);
      }
    }
  }

  private boolean add(Key key, String podUid) {
    Entry entry = objects.get(key);
    if (entry != null) {
      entry.object().renew();
    } else if (objects.size() < MOST_WATCHED) {
      WatchedObject object =
          new WatchedObject(api, time, loop, key.resource(), key.name(), () -> tell(key));
      entry = new Entry(object, new LinkedHashSet<>());
      objects.put(key, entry);
    } else {
      log.warn("{} objects are watched already; {} is not", MOST_WATCHED, key.name());
      return false;
    }
    entry.pods().add(podUid);
    return true;
  }

  private void remove(Key key, String podUid) {
    Entry entry = objects.get(key);
    if (entry != null && entry.pods().remove(podUid) && entry.pods().isEmpty()) {
      objects.remove(key);
      entry.object().close();
    }
  }

  private void tell(Key key) {
    List<String> pods;
    synchronized (objects) {
      Entry entry = objects.get(key);
      pods = entry == null ? List.of() : new ArrayList<>(entry.pods());
    }
    pods.forEach(changed);
  }

  @Override
  public Optional<JsonObject> configMap(String namespace, String name) throws ObjectsUnavailable {
    return read(Resources.CONFIG_MAPS, new ObjectName(namespace, name));
  }

  @Override
  public Optional<JsonObject> secret(String namespace, String name) throws ObjectsUnavailable {
    return read(Resources.SECRETS, new ObjectName(namespace, name));
  }

  private Optional<JsonObject> read(GroupVersionResource resource, ObjectName name)
      throws ObjectsUnavailable {
    Entry entry;
    synchronized (objects) {
      entry = objects.get(new Key(resource, name));
    }
    return entry == null ? SingleReads.get(api, resource, name) : entry.object().read();
  }

  /** How many objects are followed. */
  public int size() {
    synchronized (objects) {
      return objects.size();
    }
  }

  /** Whether all services are known that were there at the beginning. */
  public boolean hasServices() {
    return hasServices;
  }

  @Override
  public List<JsonObject> services(String namespace) {
    Map<String, JsonObject> found = services.get(namespace);
    return found == null ? List.of() : List.copyOf(found.values());
  }

  private final class Services implements Cache.Listener {
    @Override
    public void added(JsonObject service) {
      Metadata metadata = Metadata.of(service);
      services
          .computeIfAbsent(metadata.namespace(), _ -> new ConcurrentSkipListMap<>())
          .put(metadata.name(), service);
    }

    @Override
    public void changed(JsonObject before, JsonObject after) {
      added(after);
    }

    @Override
    public void removed(JsonObject last) {
      Metadata metadata = Metadata.of(last);
      Map<String, JsonObject> inNamespace = services.get(metadata.namespace());
      if (inNamespace != null) {
        inNamespace.remove(metadata.name());
      }
    }

    @Override
    public void synced() {
      hasServices = true;
    }

    @Override
    public void failed(ApiResult.Failure why) {
      log.warn("cannot read services: {}", why.message());
    }
  }

  /** Ends all watches; what is known can still be read. */
  @Override
  public void close() {
    synchronized (objects) {
      objects.values().forEach(entry -> entry.object().close());
    }
    serviceCache.close();
  }
}
