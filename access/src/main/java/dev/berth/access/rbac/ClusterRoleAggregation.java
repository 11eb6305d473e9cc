package dev.berth.access.rbac;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.ListOptions;
import dev.berth.registry.ObjectWatch;
import dev.berth.registry.Registry;
import dev.berth.registry.Selection;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.WatchOptions;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.StatusException;
import dev.berth.time.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keeps the rules of cluster roles that gather those of others: it writes them into the role, where
 * everybody can see them. One loop, which looks again after every change of a cluster role.
 */
public final class ClusterRoleAggregation implements AutoCloseable {
  private final Registry registry;
  private final Resource clusterRoles;
  private final Loop loop;
  private ObjectWatch watch;

  /** Only the loop's tasks touch these two. */
  private boolean working;

  private boolean workAgain;

  /** Begins; what was to be gathered already is gathered when this returns. */
  public ClusterRoleAggregation(Registry registry) {
    this.registry = registry;
    this.clusterRoles = registry.catalog().get(RoleIndex.GROUP, "v1", "clusterroles");
    this.loop = registry.time().start("clusterrole-aggregation");
    this.watch = watch();
    work();
  }

  private ObjectWatch watch() {
    WatchOptions next = new WatchOptions(Selection.ALL, new WatchOptions.From.Next());
    return registry.watch(clusterRoles, next, () -> loop.offer(this::begin));
  }

  private void begin() {
    if (working) {
      workAgain = true;
    } else {
      working = loop.call(this::work, _ -> end());
    }
  }

  private void end() {
    working = false;
    if (workAgain) {
      workAgain = false;
      begin();
    }
  }

  /** First forgets what woke it, so that it is woken again by whatever is written meanwhile. */
  private boolean work() {
    drain();
    gather();
    return true;
  }

  private void drain() {
    while (true) {
      switch (watch.poll()) {
        case ObjectWatch.Taken.Events(List<ObjectWatch.Event> events, long _) -> {
          if (events.isEmpty()) {
            return;
          }
        }
        case ObjectWatch.Taken.Expired _ -> {
          watch.close();
          watch = watch();
        }
        case ObjectWatch.Taken.Closed _ -> {
          return;
        }
      }
    }
  }

  private void gather() {
    Map<String, JsonObject> roles = new TreeMap<>();
    registry
        .list(clusterRoles, ListOptions.ALL)
        .entries()
        .forEach(entry -> {
          JsonObject role = StoredEncoding.tree(entry);
          roles.put(Metadata.of(role).name(), role);
        });
    gathered(roles).forEach(this::write);
  }

  private void write(String name, JsonArray rules) {
    try {
      registry.modify(
          clusterRoles,
          ObjectName.of(name),
          WriteOptions.DEFAULT,
          role -> role.has("aggregationRule") ? role.with("rules", rules) : role);
    } catch (StatusException e) {
      if (e.status().code() != 404) {
        throw e;
      }
      // It was deleted meanwhile, so nothing is to be gathered for it.
    }
  }

  /**
   * The rules of the roles that gather others and do not have these rules yet. Roles that gather
   * may be gathered in turn, so this goes on until nothing changes.
   */
  static Map<String, JsonArray> gathered(Map<String, JsonObject> roles) {
    Map<String, JsonObject> current = new TreeMap<>(roles);
    Map<String, JsonArray> changed = new TreeMap<>();
    boolean again = true;
    // Each round settles at least one role of every chain, so no chain needs more.
    for (int round = 0; again && round <= roles.size(); round++) {
      again = false;
      for (Map.Entry<String, JsonObject> entry : current.entrySet()) {
        JsonObject role = entry.getValue();
        if (role.has("aggregationRule")) {
          JsonArray rules = rules(entry.getKey(), role, current);
          if (!rules.equals(role.array("rules"))) {
            entry.setValue(role.with("rules", rules));
            changed.put(entry.getKey(), rules);
            again = true;
          }
        }
      }
    }
    return changed;
  }

  private static JsonArray rules(String name, JsonObject role, Map<String, JsonObject> roles) {
    List<JsonObject> rules = new ArrayList<>();
    JsonArray selectors = role.object("aggregationRule").array("clusterRoleSelectors");
    for (JsonObject selector : selectors.objects()) {
      LabelSelector labels = LabelSelector.fromTree(selector);
      roles.forEach((other, gathered) -> {
        if (!other.equals(name) && labels.matches(Metadata.of(gathered).labels())) {
          gathered.array("rules").objects().stream()
              .filter(rule -> !rules.contains(rule))
              .forEach(rules::add);
        }
      });
    }
    return JsonArray.copyOf(rules);
  }

  @Override
  public void close() {
    watch.close();
    loop.close();
  }
}
