package dev.berth.admission;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.tree.JsonObject;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which policies are on. */
class AdmissionPluginsTest {
  @Test
  void someAreOnAndSomeAreNot() {
    assertThat(AdmissionPlugins.standard().names())
        .contains("NamespaceLifecycle", "ServiceAccount", "ResourceQuota", "Priority")
        .doesNotContain("PodTolerationRestriction", "ExtendedResourceToleration");
  }

  @Test
  void theyCanBeTurnedOnAndOff() {
    assertThat(
            AdmissionPlugins.choose(List.of("PodTolerationRestriction"), List.of("LimitRanger"))
                .names())
        .contains("PodTolerationRestriction")
        .doesNotContain("LimitRanger");
  }

  @Test
  void oneThatIsNotKnownIsRefusedWithThoseThatAre() {
    assertThatThrownBy(() -> AdmissionPlugins.choose(List.of("Nonsense"), List.of()))
        .hasMessageStartingWith(
            "--enable-admission-plugins: the admission plugin \"Nonsense\" is unknown; there are")
        .hasMessageContaining("NamespaceLifecycle");
    assertThatThrownBy(() -> AdmissionPlugins.choose(List.of(), List.of("Nonsense")))
        .hasMessageContaining("--disable-admission-plugins");
  }

  /** Objects of kinds that somebody defined may have anything there. */
  @Test
  void noneStumblesOverASpecificationThatIsText() {
    TestCluster cluster = new TestCluster(AdmissionPlugins.standard()::chain);
    JsonObject odd = tree("{'metadata':{'name':'a','namespace':'default'},'spec':'text'}");
    JsonObject created =
        cluster
            .registry
            .create(cluster.core("configmaps"), "default", odd, WriteOptions.DEFAULT)
            .tree();
    assertThat(created.get("spec")).isEqualTo("text");
  }

  @Test
  void oneCannotBeBothOnAndOff() {
    assertThatThrownBy(
            () -> AdmissionPlugins.choose(List.of("LimitRanger"), List.of("LimitRanger")))
        .hasMessageContaining("both");
  }
}
