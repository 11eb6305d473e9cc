package dev.berth.sim.garbagecollector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.DeleteOptions;
import dev.berth.client.DeleteOptions.Propagation;
import dev.berth.client.Resources;
import dev.berth.controllers.garbagecollector.GarbageCollector;
import dev.berth.controllers.garbagecollector.GarbageCollectorSettings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.history.History;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Objects own each other at random, circles included, and are deleted in every way, while the
 * collector crashes and its server fails. Nothing goes that has an owner which does not wait for
 * it; and once it is quiet, nothing refers to an owner that is gone, and nobody waits.
 */
class GarbageCollectorFaultsTest {
  private static final int STEPS = 40;

  @SeededTest(fixed = 40, fresh = 20)
  void nothingGoesThatIsOwnedAndNothingStaysThatIsNot(long seed) {
    History.run(() -> new Run(seed));
  }

  private static final class Run extends History {
    private final OwnedConfigMaps owned = new OwnedConfigMaps(cluster.admin());

    /** All that are there, by UID. */
    private final Map<String, Metadata> present = new HashMap<>();

    /** The UIDs of those whose deletion was asked for here. */
    private final Set<String> asked = new HashSet<>();

    private int made;

    Run(long seed) {
      super(seed, STEPS, Duration.ofMinutes(5));
      watch(Resources.CONFIG_MAPS, this::changed);
      cluster.run(
          "gc",
          () ->
              GarbageCollector.start(
                  parts(GarbageCollector.ACCOUNT), GarbageCollectorSettings.DEFAULT));
      step(16, "create", this::create);
      step(12, "delete", () -> anyName().ifPresent(this::delete));
      step(4, "change an owner", () -> anyName().ifPresent(this::own));
      passes(5, Duration.ofSeconds(20));
      step(1, "restart gc", () -> cluster.restart("gc"));
    }

    @Override
    protected void pause() {
      if (random.nextBoolean()) {
        cluster.settle();
      }
    }

    private Optional<String> anyName() {
      return any(owned.names());
    }

    private void create() {
      List<JsonObject> references = new ArrayList<>();
      for (int i = random.nextInt(3); i > 0; i--) {
        anyName().ifPresent(name -> references.add(reference(name).toTree()));
      }
      owned.createReferring("c" + made++, references.stream().distinct().toList());
    }

    private OwnerReference reference(String name) {
      Metadata owner = owned.get(name);
      return new OwnerReference("v1", "ConfigMap", name, owner.uid(), false, random.nextBoolean());
    }

    /** Gives an object another owner, perhaps one that it owns itself. */
    private void own(String name) {
      JsonArray references = JsonArray.of(reference(anyName().orElseThrow()).toTree());
      owned.patch(name, JsonObject.of("ownerReferences", references));
    }

    private void delete(String name) {
      Propagation propagation = List.of(Propagation.values()).get(random.nextInt(3));
      String uid = owned.get(name).uid();
      asked.add(uid);
      ApiResult result =
          cluster
              .admin()
              .delete(
                  Resources.CONFIG_MAPS,
                  OwnedConfigMaps.name(name),
                  DeleteOptions.NONE.propagation(propagation));
      assertThat(result.isDone()).isTrue();
    }

    private void changed(ApiWatch.Event event) {
      Metadata after = Metadata.of(event.object());
      Metadata before = present.get(after.uid());
      boolean began =
          before != null
              && !before.isBeingDeleted()
              && (after.isBeingDeleted() || event.change() == ApiWatch.Change.DELETED);
      if (began && !asked.contains(after.uid())) {
        assertThat(before.ownerReferences())
            .as("%s went", after.name())
            .isNotEmpty()
            .noneMatch(this::isSolid);
      }
      if (event.change() == ApiWatch.Change.DELETED) {
        present.remove(after.uid());
      } else {
        present.put(after.uid(), after);
      }
    }

    private boolean isSolid(OwnerReference reference) {
      Metadata owner = present.get(reference.uid());
      return owner != null
          && !(owner.isBeingDeleted() && owner.finalizers().contains("foregroundDeletion"));
    }

    @Override
    protected void checkEnd() {
      for (Metadata object : present.values()) {
        assertThat(object.isBeingDeleted())
            .as("%s is being deleted, and there are %s", object.name(), present.values())
            .isFalse();
        assertThat(object.ownerReferences())
            .as("the owners of %s", object.name())
            .allMatch(this::isSolid);
      }
    }
  }
}
