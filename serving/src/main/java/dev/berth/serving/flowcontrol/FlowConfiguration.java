package dev.berth.serving.flowcontrol;

import dev.berth.kinds.flowcontrol.FlowControlResources;
import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.ListOptions;
import dev.berth.registry.ObjectWatch;
import dev.berth.registry.Registry;
import dev.berth.registry.Selection;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.WatchOptions;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.StatusException;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps {@link PriorityAndFairness} as its objects say, and the objects' status: whether a flow
 * schema names a level that is there. One loop; after every change, all objects are read again.
 * Holds nothing that it could not read again.
 */
public final class FlowConfiguration implements AutoCloseable {
  private static final WriteOptions STATUS =
      new WriteOptions(
          false, Subresource.STATUS, "api-priority-and-fairness-config-consumer-v1", User.SERVER);
  private static final String DANGLING = "Dangling";
  private static final int NOT_FOUND = 404;

  private final PriorityAndFairness flow;
  private final Registry registry;
  private final Resource levels;
  private final Resource schemas;
  private final Loop loop;
  private final Map<Resource, ObjectWatch> watches = new ConcurrentHashMap<>();

  /** Only the loop's tasks touch these two. */
  private boolean working;

  private boolean workAgain;

  /**
   * @param time where its loop runs
   */
  public FlowConfiguration(PriorityAndFairness flow, Registry registry, Time time) {
    this.flow = flow;
    this.registry = registry;
    this.levels =
        registry
            .catalog()
            .get(FlowControlResources.GROUP, "v1", FlowControlResources.PRIORITY_LEVELS);
    this.schemas =
        registry.catalog().get(FlowControlResources.GROUP, "v1", FlowControlResources.FLOW_SCHEMAS);
    this.loop = time.start("flow-configuration");
  }

  /** Begins; what is stored already counts when this returns. */
  public void start() {
    for (Resource resource : List.of(levels, schemas)) {
      watches.put(resource, watch(resource));
    }
    read();
    loop.offer(this::begin);
    loop.after(PriorityAndFairness.BORROWING_PERIOD, this::adjust);
  }

  private ObjectWatch watch(Resource resource) {
    WatchOptions next = new WatchOptions(Selection.ALL, new WatchOptions.From.Next());
    return registry.watch(resource, next, () -> loop.offer(this::begin));
  }

  private void adjust() {
    flow.adjust();
    loop.after(PriorityAndFairness.BORROWING_PERIOD, this::adjust);
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
    watches.replaceAll(this::drained);
    Set<String> usable = new HashSet<>(read());
    objects(schemas).forEach(schema -> writeStatus(schema, usable));
    return true;
  }

  /** Whatever it tells of, all is read again; so one that has fallen behind is replaced. */
  private ObjectWatch drained(Resource resource, ObjectWatch watch) {
    while (true) {
      switch (watch.poll()) {
        case ObjectWatch.Taken.Events(List<ObjectWatch.Event> events, long _) -> {
          if (events.isEmpty()) {
            return watch;
          }
        }
        case ObjectWatch.Taken.Expired _ -> {
          watch.close();
          return watch(resource);
        }
        case ObjectWatch.Taken.Closed _ -> {
          return watch;
        }
      }
    }
  }

  private Collection<String> read() {
    return flow.configure(objects(levels), objects(schemas));
  }

  private List<JsonObject> objects(Resource resource) {
    return registry.list(resource, ListOptions.ALL).entries().stream()
        .map(StoredEncoding::tree)
        .toList();
  }

  private void writeStatus(JsonObject schema, Set<String> usable) {
    String level = schema.object("spec").object("priorityLevelConfiguration").text("name", "");
    JsonObject condition = condition(level, usable.contains(level));
    boolean same =
        schema.object("status").array("conditions").objects().stream()
            .filter(there -> there.text("type", "").equals(DANGLING))
            .anyMatch(there -> there.without("lastTransitionTime").equals(condition));
    if (same) {
      return;
    }
    String name = Metadata.of(schema).name();
    JsonObject timed = condition.with("lastTransitionTime", Times.format(registry.now()));
    JsonObject configuration =
        new JsonObject.Builder()
            .put("apiVersion", schemas.kind().apiVersion())
            .put("kind", schemas.kind().kind())
            .put("metadata", JsonObject.of("name", name))
            .put("status", JsonObject.of("conditions", JsonArray.of(timed)))
            .build();
    try {
      registry.apply(
          schemas, ObjectName.of(name), new Registry.Applied(configuration, true, STATUS));
    } catch (StatusException e) {
      // It was deleted meanwhile.
      if (e.status().code() != NOT_FOUND) {
        throw e;
      }
    }
  }

  private static JsonObject condition(String level, boolean found) {
    String references =
        "This FlowSchema references the PriorityLevelConfiguration object named \"%s\" %s"
            .formatted(level, found ? "and it exists" : "but there is no such object");
    return new JsonObject.Builder()
        .put("type", DANGLING)
        .put("status", found ? "False" : "True")
        .put("reason", found ? "Found" : "NotFound")
        .put("message", references)
        .build();
  }

  @Override
  public void close() {
    watches.values().forEach(ObjectWatch::close);
    loop.close();
  }
}
