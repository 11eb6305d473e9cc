package dev.berth.customresources;

import dev.berth.customresources.conversion.Conversion;
import dev.berth.customresources.definition.DefinitionResource;
import dev.berth.customresources.definition.DefinitionView;
import dev.berth.customresources.instance.CustomResource;
import dev.berth.customresources.instance.VersionOrder;
import dev.berth.kinds.resource.Catalog;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.ResourceChanges;
import dev.berth.registry.StoredEncoding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All resources as they are now: those that are built in, and those that definitions define.
 *
 * <p>A catalog is a value; this holds the current one. It asks the store for changes of definitions
 * before each use, so it is never behind: whoever has seen a definition that is established finds
 * its resources served, and whoever has seen it go does not. While no definition changes, that
 * costs a comparison, or a look at one watch.
 *
 * <p>May be used from any thread. Nothing is kept that a restart would lose.
 */
public final class CustomResources implements Supplier<Catalog>, AutoCloseable {
  private final List<Resource> builtIn;
  private final Catalog own;
  private final Resource definitions = DefinitionResource.resource();
  private final Function<DefinitionView, Conversion> conversions;
  private final ReentrantLock lock = new ReentrantLock();

  /** By the names of their definitions, so that what does not change stays what it is. */
  private final Map<String, Defined> defined = new TreeMap<>();

  private volatile Catalog current;
  private volatile @Nullable ResourceChanges changes;

  /** A definition, and the resources that were made of it. */
  private record Defined(
      JsonObject spec, JsonObject names, boolean terminating, List<Resource> all) {}

  /**
   * @param conversions how objects of a definition are converted from one version to another
   */
  public CustomResources(Catalog builtIns, Function<DefinitionView, Conversion> conversions) {
    List<Resource> all = new ArrayList<>();
    builtIns.versions().forEach(version -> all.addAll(builtIns.resources(version)));
    all.add(definitions);
    this.builtIn = List.copyOf(all);
    this.conversions = conversions;
    this.own = new Catalog(builtIn);
    this.current = own;
  }

  /** Reads all definitions, and follows them from now on. */
  public void follow(Registry source) {

    changes =
        ResourceChanges.of(
            source,
            List.of(definitions),
            new ResourceChanges.Listener() {
              @Override
              public void changed(Resource resource, ObjectName name) {
                update(source, name.name());
              }

              @Override
              public void lost() {
                readAll(source);
              }
            });
    readAll(source);
  }

  @Override
  public Catalog get() {
    ResourceChanges source = changes;
    if (source != null) {
      source.deliver();
    }
    return current;
  }

  private void readAll(Registry source) {
    lock.lock();
    try {
      defined.clear();
      source
          .list(definitions, ListOptions.ALL)
          .entries()
          .forEach(entry -> put(new DefinitionView(StoredEncoding.tree(entry))));
      publish();
    } finally {
      lock.unlock();
    }
  }

  private void update(Registry source, String name) {
    lock.lock();
    try {
      Optional<DefinitionView> found =
          source
              .find(definitions, ObjectName.of(name))
              .map(stored -> new DefinitionView(stored.tree()));
      boolean served = found.filter(CustomResources::isServed).isPresent();
      boolean changed = served ? put(found.orElseThrow()) : (defined.remove(name) != null);
      if (changed) {
        publish();
      }
    } finally {
      lock.unlock();
    }
  }

  private static boolean isServed(DefinitionView definition) {
    return definition.isTrue(DefinitionView.ESTABLISHED);
  }

  /** Whether what is served changes with a definition. */
  private boolean put(DefinitionView definition) {
    if (!isServed(definition)) {
      return false;
    }
    boolean terminating = definition.isTrue(DefinitionView.TERMINATING);
    Defined known = defined.get(definition.name());
    if (known != null
        && known.spec.equals(definition.spec())
        && known.names.equals(definition.acceptedNames())
        && known.terminating == terminating) {
      return false;
    }
    List<Resource> served = CustomResource.served(definition, conversions.apply(definition));
    defined.put(
        definition.name(),
        new Defined(definition.spec(), definition.acceptedNames(), terminating, served));
    return true;
  }

  /** Built-in resources come first, and no definition takes their place. */
  private void publish() {
    List<Resource> custom = new ArrayList<>();
    for (Defined each : defined.values()) {
      for (Resource resource : each.all) {
        GroupVersion version = resource.kind().groupVersion();
        if (own.find(
                new GroupVersionResource(version.group(), version.version(), resource.plural()))
            .isEmpty()) {
          custom.add(resource);
        }
      }
    }
    custom.sort(
        Comparator.comparing((Resource resource) -> resource.kind().group())
            .thenComparing(resource -> resource.kind().version(), VersionOrder.PREFERRED_FIRST)
            .thenComparing(Resource::plural));
    List<Resource> all = new ArrayList<>(builtIn);
    all.addAll(custom);
    current = new Catalog(all);
  }

  @Override
  public void close() {
    ResourceChanges source = changes;
    if (source != null) {
      source.close();
    }
  }
}
