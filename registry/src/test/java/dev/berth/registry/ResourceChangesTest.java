package dev.berth.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.ObjectName;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.store.HistoryLimits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who keeps what is made from objects learns of all changes before it uses it. */
class ResourceChangesTest {
  private final List<String> told = new ArrayList<>();

  private final ResourceChanges.Listener listener =
      new ResourceChanges.Listener() {
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
    TestCluster cluster = new TestCluster();
    try (ResourceChanges changes =
        ResourceChanges.of(
            cluster.registry,
            List.of(cluster.core("configmaps"), cluster.core("nodes")),
            listener)) {
      cluster.configMap("a");
      cluster.create("nodes", "{'metadata':{'name':'n1'}}");
      cluster.pod("p", "");
      changes.deliver();
      assertThat(told).containsExactly("configmaps default/a", "nodes n1");
      changes.deliver();
      assertThat(told).hasSize(2);
      cluster.registry.delete(
          cluster.core("configmaps"), TestCluster.named("a"), DeletionOptions.DEFAULT);
      changes.deliver();
      assertThat(told).hasSize(3).last().isEqualTo("configmaps default/a");
    }
  }

  @Test
  void whoCannotBeToldWhatChangedIsToldThat() {
    TestCluster cluster = new TestCluster(new HistoryLimits(2, 1_000_000));
    try (ResourceChanges changes =
        ResourceChanges.of(cluster.registry, List.of(cluster.core("configmaps")), listener)) {
      for (int i = 0; i < 10; i++) {
        cluster.configMap("c" + i);
      }
      changes.deliver();
      assertThat(told).containsExactly("lost");
      cluster.configMap("next");
      changes.deliver();
      assertThat(told).containsExactly("lost", "configmaps default/next");
    }
  }
}
