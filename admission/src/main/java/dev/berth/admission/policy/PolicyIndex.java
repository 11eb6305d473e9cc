package dev.berth.admission.policy;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.ResourceChanges;
import dev.berth.registry.Selection;
import dev.berth.registry.StoredEncoding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The policies of a kind that are bound, by their names. They are read anew after a change, so that
 * a policy takes effect with the next request; what did not change stays compiled. For any thread.
 */
final class PolicyIndex<P extends CompiledPolicy> {
  private static final String GROUP = "admissionregistration.k8s.io";

  private final Registry registry;
  private final Resource policies;
  private final Resource bindings;
  private final Function<JsonObject, P> compile;
  private final ResourceChanges changes;

  /** Counts changes, so that nobody keeps what was read before one. */
  private final AtomicLong generation = new AtomicLong();

  private volatile @Nullable Known<P> known;

  /** A policy and where it is in force. */
  record Bound<P>(P policy, List<PolicyBinding> bindings) {}

  private record Compiled<P>(JsonObject tree, P policy) {}

  private record Known<P>(
      long generation, Map<String, Compiled<P>> compiled, List<Bound<P>> bound) {}

  PolicyIndex(Registry registry, String kind, Function<JsonObject, P> compile) {
    this.registry = registry;
    this.policies = registry.catalog().get(GROUP, "v1", kind + "admissionpolicies");
    this.bindings = registry.catalog().get(GROUP, "v1", kind + "admissionpolicybindings");
    this.compile = compile;
    this.changes =
        ResourceChanges.of(
            registry,
            List.of(policies, bindings),
            new ResourceChanges.Listener() {
              @Override
              public void changed(Resource changed, ObjectName name) {
                generation.incrementAndGet();
              }

              @Override
              public void lost() {
                generation.incrementAndGet();
              }
            });
  }

  List<Bound<P>> policies() {
    changes.deliver();
    long now = generation.get();
    Known<P> last = known;
    if (last != null && last.generation == now) {
      return last.bound;
    }
    Known<P> read = read(now, last == null ? Map.of() : last.compiled);
    known = read;
    return read.bound;
  }

  private Known<P> read(long now, Map<String, Compiled<P>> before) {
    Map<String, List<PolicyBinding>> byPolicy = new HashMap<>();
    list(bindings)
        .forEach(tree -> {
          PolicyBinding binding = PolicyBinding.read(tree);
          byPolicy.computeIfAbsent(binding.policy(), _ -> new ArrayList<>()).add(binding);
        });
    Map<String, Compiled<P>> compiled = new HashMap<>();
    List<Bound<P>> bound = new ArrayList<>();
    for (JsonObject tree : byPolicy.isEmpty() ? List.<JsonObject>of() : list(policies)) {
      String name = Metadata.of(tree).name();
      List<PolicyBinding> where = byPolicy.get(name);
      if (where == null) {
        continue;
      }
      Compiled<P> last = before.get(name);
      Compiled<P> policy =
          last != null && last.tree.object("spec").equals(tree.object("spec"))
              ? last
              : new Compiled<>(tree, compile.apply(tree));
      compiled.put(name, policy);
      bound.add(new Bound<>(policy.policy, List.copyOf(where)));
    }
    return new Known<>(now, compiled, List.copyOf(bound));
  }

  /** All objects, by their names. */
  private List<JsonObject> list(Resource resource) {
    return registry.list(resource, ListOptions.of(Selection.in(""))).entries().stream()
        .map(StoredEncoding::tree)
        .toList();
  }
}
