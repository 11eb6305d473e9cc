package dev.berth.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.leader.LeaderTerm;
import dev.berth.model.resource.ObjectName;
import dev.berth.registry.admission.AdmissionChain;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.fixture.TestCluster;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A request of a leader that is deposed while the request is under way. */
class LeaderGuardTest {
  private static final LeaderTerm TERM =
      new LeaderTerm(new ObjectName("kube-system", "leader"), "a", 1);

  /** Keeps something for a write in an object of its own, as addresses of services are kept. */
  private static final class Keeping implements AdmissionPlugin {
    private final Registry registry;
    private final Runnable inTheEnd;

    Keeping(Registry registry, Runnable inTheEnd) {
      this.registry = registry;
      this.inTheEnd = inTheEnd;
    }

    @Override
    public void validate(AdmissionRequest request) {
      if (request.name().equals(TestCluster.named("kept"))) {
        Resource maps = request.resource();
        request.afterwards(written -> {
          if (!written) {
            registry.delete(maps, TestCluster.named("keeping"), DeletionOptions.DEFAULT);
          }
        });
        inTheEnd.run();
      }
    }
  }

  private final TestCluster cluster =
      new TestCluster(registry -> new AdmissionChain(List.of(new Keeping(registry, this::depose))));

  @BeforeEach
  void lead() {
    cluster.create(
        "coordination.k8s.io",
        "leases",
        "kube-system",
        "{'metadata':{'name':'leader'},'spec':{'holderIdentity':'a','leaseTransitions':1}}");
  }

  /** As another server does it: nothing guards that. */
  private void depose() {
    Thread other =
        Thread.startVirtualThread(() ->
            cluster.registry.modify(
                cluster.resource("coordination.k8s.io", "leases"),
                TERM.lease(),
                WriteOptions.DEFAULT,
                lease -> lease.update("spec", spec -> spec.with("holderIdentity", "b"))));
    try {
      other.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private String refusal(Runnable... writes) {
    return TestCluster.refused(() ->
            cluster.registry.whileLeading(
                TERM,
                () -> {
                  List.of(writes).forEach(Runnable::run);
                  return "";
                }))
        .message();
  }

  @Test
  void whatItStillWritesIsRefused() {
    cluster.configMap("old");
    Resource maps = cluster.core("configmaps");
    List<Runnable> writes =
        List.of(
            () -> cluster.configMap("new"),
            () ->
                cluster.registry.modify(
                    maps,
                    TestCluster.named("old"),
                    WriteOptions.DEFAULT,
                    old -> old.without("data")),
            () -> cluster.registry.delete(maps, TestCluster.named("old"), DeletionOptions.DEFAULT));
    for (Runnable write : writes) {
      cluster.registry.modify(
          cluster.resource("coordination.k8s.io", "leases"),
          TERM.lease(),
          WriteOptions.DEFAULT,
          lease -> lease.update("spec", spec -> spec.with("holderIdentity", "a")));
      assertThat(refusal(this::depose, write))
          .isEqualTo(
              "\"a\" does not hold the lease kube-system/leader since transition 1: \"b\" holds it"
                  + " since transition 1");
    }
    assertThat(cluster.registry.find(maps, TestCluster.named("new"))).isEmpty();
    assertThat(cluster.registry.get(maps, TestCluster.named("old")).tree().has("data")).isTrue();
  }

  /** Otherwise the address of a service that was never written would be lost. */
  @Test
  void whatWasSetAsideForARefusedWriteIsGivenBack() {
    cluster.configMap("keeping");
    assertThat(refusal(() -> cluster.configMap("kept"))).contains("\"b\" holds it");
    Resource maps = cluster.core("configmaps");
    assertThat(cluster.registry.find(maps, TestCluster.named("kept"))).isEmpty();
    assertThat(cluster.registry.find(maps, TestCluster.named("keeping"))).isEmpty();
  }

  @Test
  void whoDoesNotSayThatItLeadsIsNotGuarded() {
    depose();
    assertThat(cluster.configMap("new").tree().has("data")).isTrue();
  }
}
