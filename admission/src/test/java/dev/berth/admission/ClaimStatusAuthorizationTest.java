package dev.berth.admission;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.admission.match.Authorizers;
import dev.berth.cel.library.AccessCheck;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.Registry;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.admission.AdmissionChain;
import dev.berth.registry.fixture.TestCluster;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may write which part of a claim's status. */
class ClaimStatusAuthorizationTest {
  private static final String ALLOCATION =
      "'allocation':{'devices':{'results':[{'request':'r','driver':'d.example.com','pool':'p','device':'x'}]},"
          + "'nodeSelector':{'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name','operator':'In','values':['n1']}]}]}}";
  private static final String DEVICES =
      "'devices':[{'driver':'d.example.com','pool':'p','device':'x','data':{'a':1}}]";
  private static final User DRIVER =
      User.authenticated("system:serviceaccount:default:driver", List.of())
          .withExtra("authentication.kubernetes.io/node-name", "n1");

  private final Set<String> allowed = new HashSet<>();
  private final TestCluster cluster = new TestCluster(this::chain);

  private AdmissionChain chain(Registry registry) {
    return new AdmissionChain(List.of(new ClaimStatusAuthorization(authorizers())));
  }

  private Authorizers authorizers() {
    return _ -> new Asked();
  }

  /** Allows what is in the set: verb, subresource and name. */
  private final class Asked implements AccessCheck {
    @Override
    public Decision decide(PathCheck path, String verb) {
      return new Decision(false, "", "");
    }

    @Override
    public Decision decide(ResourceCheck what, String verb) {
      return new Decision(
          allowed.contains((verb + " " + what.subresource() + " " + what.name()).strip()), "", "");
    }

    @Override
    public AccessCheck asServiceAccount(String namespace, String name) {
      return this;
    }
  }

  private void claim() {
    cluster.create(
        "resource.k8s.io",
        "resourceclaims",
        "default",
        "{'metadata':{'name':'c'},'spec':{'devices':{'requests':[{'name':'r','exactly':{'deviceClassName':'c'}}]}}}");
  }

  private void write(User user, boolean patch, String status) {
    WriteOptions options = new WriteOptions(false, "status", "", user);
    cluster.registry.modify(
        cluster.resource("resource.k8s.io", "resourceclaims"),
        named("c"),
        patch ? options.patch() : options,
        claim -> claim.with("status", tree("{" + status + "}")));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"update,false", "patch,true"})
  void whoAllocatesMayBind(String verb, boolean patch) {
    claim();
    User scheduler = User.authenticated("ann", List.of());
    assertThat(refused(() -> write(scheduler, patch, ALLOCATION)).message())
        .isEqualTo(
            ("ResourceClaim.resource.k8s.io \"c\" is invalid: status.allocation: Forbidden: changing"
                    + " status.allocation or status.reservedFor requires"
                    + " resource=\"resourceclaims/binding\", verb=\"%1$s\" permission:"
                    + " resourceclaims.resource.k8s.io is forbidden: User \"ann\" cannot %1$s resource"
                    + " \"resourceclaims/binding\" in API group \"resource.k8s.io\" at the cluster"
                    + " scope")
                .formatted(verb));
    allowed.add(verb + " binding");
    write(scheduler, patch, ALLOCATION);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          on its node                     | n1 | associated-node:update driver d.example.com | true
          on any node                     | n1 | arbitrary-node:update driver d.example.com  | true
          of another driver               | n1 | arbitrary-node:update driver e.example.com  | false
          on its node, which is elsewhere | n2 | associated-node:update driver d.example.com | false
          to bind alone                   | n1 | update binding                              | false
          """)
  void whoReportsDevicesMayForTheDriver(String rule, String node, String may, boolean reports) {
    claim();
    write(User.SERVER, false, ALLOCATION);
    allowed.add(may);
    User driver = DRIVER.withExtra("authentication.kubernetes.io/node-name", node);
    if (reports) {
      write(driver, false, ALLOCATION + "," + DEVICES);
      assertThat(status().has("devices")).as(rule).isTrue();
    } else {
      assertThat(refused(() -> write(driver, false, ALLOCATION + "," + DEVICES)).message())
          .as(rule)
          .contains("status.devices: Forbidden: changing status.devices requires");
    }
  }

  @Test
  void aDriverThatMayNotIsToldWhatItLacks() {
    claim();
    write(User.SERVER, false, ALLOCATION);
    assertThat(refused(() -> write(DRIVER, false, ALLOCATION + "," + DEVICES)).message())
        .isEqualTo(
            "ResourceClaim.resource.k8s.io \"c\" is invalid: status.devices: Forbidden: changing"
                + " status.devices requires resource=\"resourceclaims/driver\","
                + " verb=\"[associated-node:update arbitrary-node:update]\" permission:"
                + " resourceclaims.resource.k8s.io \"d.example.com\" is forbidden: User"
                + " \"system:serviceaccount:default:driver\" cannot associated-node:update resource"
                + " \"resourceclaims/driver\" in API group \"resource.k8s.io\" in the namespace"
                + " \"default\"");
  }

  /** Nobody is asked for what stays as it is. */
  @Test
  void whatIsNotChangedNeedsNoPermission() {
    claim();
    write(User.SERVER, false, ALLOCATION + "," + DEVICES);
    write(User.authenticated("ann", List.of()), false, ALLOCATION + "," + DEVICES);
    assertThat(refused(() -> write(DRIVER, false, ALLOCATION)).message())
        .contains("status.devices");
  }

  private JsonObject status() {
    return cluster
        .registry
        .get(cluster.resource("resource.k8s.io", "resourceclaims"), named("c"))
        .tree()
        .object("status");
  }
}
