package dev.berth.apiserver.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.apiserver.admission.AdmissionChain;
import dev.berth.apiserver.admission.AdmissionPlugins;
import dev.berth.apiserver.admission.NamespaceLifecycle;
import dev.berth.apiserver.resource.Resource;
import dev.berth.apiserver.resource.builtin.BuiltIns;
import dev.berth.apiserver.status.Status;
import dev.berth.apiserver.status.StatusException;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.store.HistoryLimits;
import dev.berth.store.memory.MemoryStore;
import dev.berth.time.VirtualTime;
import java.util.List;
import java.util.function.Function;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A registry over a store in memory, at a time that the test turns. */
public final class World {
  public final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.toString(), failure.cause());
          });
  public final MemoryStore store;
  public final Registry registry;

  public World() {
    this(HistoryLimits.DEFAULT);
  }

  public World(HistoryLimits limits) {
    this(limits, registry -> new AdmissionChain(List.of(new NamespaceLifecycle(registry))));
  }

  private World(HistoryLimits limits, Function<Registry, AdmissionChain> policies) {
    store = new MemoryStore(limits);
    registry = new Registry(store, BuiltIns.catalog(), time, policies);
    for (String name : List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
      JsonObject namespace = JsonObject.of("metadata", JsonObject.of("name", name));
      registry.create(core("namespaces"), "", namespace, WriteOptions.DEFAULT);
    }
  }

  /** One with the policies that a server has, and some more. */
  public static World withPolicies(String... more) {
    return withPolicies(AdmissionPlugins.choose(List.of(more), List.of()));
  }

  public static World withPolicies(AdmissionPlugins policies) {
    return new World(HistoryLimits.DEFAULT, policies::chain);
  }

  public Resource resource(String group, String plural) {
    return registry.catalog().get(group, "v1", plural);
  }

  public Stored create(String group, String plural, String namespace, String json) {
    return registry.create(resource(group, plural), namespace, json(json), WriteOptions.DEFAULT);
  }

  public Resource core(String plural) {
    return registry.catalog().get("", "v1", plural);
  }

  /** Reads JSON in which single quotes stand for double ones. */
  public static JsonObject json(String text) {
    return JsonReader.object(text.replace('\'', '"').getBytes(UTF_8), JsonLimits.REQUEST);
  }

  public Stored create(String plural, String json) {
    Resource resource = core(plural);
    return registry.create(
        resource, resource.isNamespaced() ? "default" : "", json(json), WriteOptions.DEFAULT);
  }

  public Stored configMap(String name) {
    return create("configmaps", "{'metadata':{'name':'%s'},'data':{'a':'1'}}".formatted(name));
  }

  /** A pod, on a node if one is named. */
  public Stored pod(String name, String node) {
    String bound = node.isEmpty() ? "" : "'nodeName':'%s',".formatted(node);
    return create(
        "pods",
        "{'metadata':{'name':'%s'},'spec':{%s'containers':[{'name':'c','image':'i'}]}}"
            .formatted(name, bound));
  }

  public static ObjectName named(String name) {
    return new ObjectName("default", name);
  }

  /** The value at a path of an object, as text. */
  public static String at(JsonObject object, String path) {
    return String.valueOf(FieldPath.parse(path).get(object));
  }

  /** The status that something is refused with. */
  public static Status refused(ThrowingCallable action) {
    return Assertions.catchThrowableOfType(StatusException.class, action).status();
  }
}
