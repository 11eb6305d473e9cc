package dev.berth.apiserver.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.resource.Resource;
import dev.berth.model.resource.ObjectName;
import dev.berth.store.HistoryLimits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who keeps what is made from objects learns of all changes before it uses it. */
class ChangesTest {
  private final List<String> told = new ArrayList<>();

  private final Changes.Listener listener =
      new Changes.Listener() {
        @Override
        public void changed(Resource resource, ObjectName name) {
          told.add(resource + " " + name);
        }

        @Override
        public void lost() {
          told.add("lost");
        }
      };

  @Test
  void allChangesAreToldOnce() {
    World world = new World();
    try (Changes changes =
        Changes.of(
            world.registry, List.of(world.core("configmaps"), world.core("nodes")), listener)) {
      world.configMap("a");
      world.create("nodes", "{'metadata':{'name':'n1'}}");
      world.pod("p", "");
      changes.deliver();
      assertThat(told).containsExactly("configmaps default/a", "nodes n1");
      changes.deliver();
      assertThat(told).hasSize(2);
      world.registry.delete(world.core("configmaps"), World.named("a"), DeleteOptions.DEFAULT);
      changes.deliver();
      assertThat(told).hasSize(3).last().isEqualTo("configmaps default/a");
    }
  }

  @Test
  void whoCannotBeToldWhatChangedIsToldThat() {
    World world = new World(new HistoryLimits(2, 1_000_000));
    try (Changes changes =
        Changes.of(world.registry, List.of(world.core("configmaps")), listener)) {
      for (int i = 0; i < 10; i++) {
        world.configMap("c" + i);
      }
      changes.deliver();
      assertThat(told).containsExactly("lost");
      world.configMap("next");
      changes.deliver();
      assertThat(told).containsExactly("lost", "configmaps default/next");
    }
  }
}
