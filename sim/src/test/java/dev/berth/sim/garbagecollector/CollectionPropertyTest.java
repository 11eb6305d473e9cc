package dev.berth.sim.garbagecollector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.DeleteOptions;
import dev.berth.client.DeleteOptions.Propagation;
import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.controllers.garbagecollector.GarbageCollector;
import dev.berth.controllers.garbagecollector.GarbageCollectorSettings;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.metrics.Metrics;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.FaultyApi;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Objects own each other at random, circles included, and are deleted in every way, while the
 * collector crashes and its server fails. Nothing goes that has an owner which does not wait for
 * it; and once it is quiet, nothing refers to an owner that is gone, and nobody waits.
 */
class CollectionPropertyTest {
  private static final int STEPS = 40;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 60);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void nothingGoesThatIsOwnedAndNothingStaysThatIsNot(long seed) {
    try (Run run = new Run(seed)) {
      for (int step = 0; step < STEPS; step++) {
        run.step();
      }
      run.calmDown();
    }
  }

  private static final class Run implements AutoCloseable {
    private final VirtualCluster cluster;
    private final Random random;
    private final Family family;
    private final ApiWatch watch;
    private final List<FaultyApi> servers = new ArrayList<>();

    /** All that are there, by UID. */
    private final Map<String, Metadata> present = new HashMap<>();

    /** The UIDs of those whose deletion was asked for here. */
    private final Set<String> asked = new HashSet<>();

    private int made;

    Run(long seed) {
      cluster = new VirtualCluster(seed);
      random = new Random(seed);
      family = new Family(cluster.admin());
      watch =
          cluster
              .admin()
              .watch(
                  ListRequest.of(Resources.CONFIG_MAPS).watchAfter(cluster.revision()), () -> {});
      cluster.run("gc", this::collector);
    }

    private GarbageCollector collector() {
      ControllerParts parts = cluster.parts(GarbageCollector.ACCOUNT);
      FaultyApi api = new FaultyApi(parts.api(), new Random(random.nextLong()));
      servers.add(api);
      return GarbageCollector.start(
          new ControllerParts(api, parts.time(), new Metrics(), "test", _ -> {}),
          GarbageCollectorSettings.DEFAULT);
    }

    void step() {
      List<String> names = family.names();
      switch (random.nextInt(10)) {
        case 0, 1, 2, 3 -> create(names);
        case 4, 5, 6 -> delete(names);
        case 7 -> own(names);
        case 8 -> cluster.advance(Duration.ofSeconds(random.nextInt(20)));
        case 9 -> {
          if (random.nextInt(4) == 0) {
            cluster.restart("gc");
          }
        }
        default -> throw new AssertionError();
      }
      if (random.nextBoolean()) {
        cluster.settle();
      }
      check();
    }

    private String any(List<String> names) {
      return names.get(random.nextInt(names.size()));
    }

    private void create(List<String> names) {
      List<JsonObject> references = new ArrayList<>();
      for (int i = random.nextInt(3); i > 0 && !names.isEmpty(); i--) {
        references.add(reference(any(names)).toTree());
      }
      family.createReferring("c" + made++, references.stream().distinct().toList());
    }

    private OwnerReference reference(String name) {
      Metadata owner = family.get(name);
      return new OwnerReference("v1", "ConfigMap", name, owner.uid(), false, random.nextBoolean());
    }

    /** Gives an object another owner, perhaps one that it owns itself. */
    private void own(List<String> names) {
      if (names.isEmpty()) {
        return;
      }
      JsonArray references = JsonArray.of(reference(any(names)).toTree());
      family.patch(any(names), JsonObject.of("ownerReferences", references));
    }

    private void delete(List<String> names) {
      if (names.isEmpty()) {
        return;
      }
      String name = any(names);
      Propagation propagation = List.of(Propagation.values()).get(random.nextInt(3));
      String uid = family.get(name).uid();
      asked.add(uid);
      ApiResult result =
          cluster
              .admin()
              .delete(
                  Resources.CONFIG_MAPS,
                  Family.name(name),
                  DeleteOptions.NONE.propagation(propagation));
      assertThat(result.isDone()).isTrue();
    }

    /** Walks all that happened, in its order. */
    private void check() {
      while (true) {
        ApiWatch.Poll.Events polled = (ApiWatch.Poll.Events) watch.poll(1000);
        if (polled.events().isEmpty()) {
          return;
        }
        for (ApiWatch.Event event : polled.events()) {
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
      }
    }

    private boolean isSolid(OwnerReference reference) {
      Metadata owner = present.get(reference.uid());
      return owner != null
          && !(owner.isBeingDeleted() && owner.finalizers().contains("foregroundDeletion"));
    }

    void calmDown() {
      servers.forEach(FaultyApi::heal);
      cluster.advance(Duration.ofMinutes(5));
      check();
      for (Metadata object : present.values()) {
        assertThat(object.isBeingDeleted())
            .as("%s is being deleted, and there are %s", object.name(), present.values())
            .isFalse();
        assertThat(object.ownerReferences())
            .as("the owners of %s", object.name())
            .allMatch(this::isSolid);
      }
    }

    @Override
    public void close() {
      watch.close();
      cluster.close();
    }
  }
}
