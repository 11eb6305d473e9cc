package dev.berth.policy.service;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.network.ServiceCidrView;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** When a ServiceCIDR is ready, and when it may go. */
class ServiceCidrPlanTest {
  private static final Instant DELETED = Instant.parse("2026-01-01T00:00:00Z");
  private static final String FINALIZERS =
      "'finalizers':['networking.k8s.io/service-cidr-finalizer']";
  private static final String DELETION = "'deletionTimestamp':'2026-01-01T00:00:00Z'";

  private static JsonObject cidr(String name, String metadata, String... ranges) {
    return tree(
        "{'metadata':{'name':'%s',%s},'spec':{'cidrs':['%s']}}"
            .formatted(name, metadata, String.join("','", ranges)));
  }

  private static ServiceCidrPlan decide(
      JsonObject cidr, List<JsonObject> others, List<String> addresses, Duration later) {
    List<ServiceCidrView> all =
        Stream.concat(Stream.of(cidr), others.stream()).map(ServiceCidrView::read).toList();
    return ServiceCidrPlan.decide(
        new ServiceCidrSnapshot(cidr, all, addresses), DELETED.plus(later));
  }

  @Test
  void aNewOneGetsTheFinalizerAndThenIsReady() {
    JsonObject fresh = cidr("a", "'labels':{}", "10.0.0.0/24");
    assertThat(decide(fresh, List.of(), List.of(), Duration.ZERO).actions())
        .containsExactly(ServiceCidrAction.ADD_FINALIZER);
    JsonObject held = cidr("a", FINALIZERS, "10.0.0.0/24");
    JsonObject ready = decide(held, List.of(), List.of(), Duration.ZERO).withStatus();
    assertThat(ready.object("status"))
        .isEqualTo(
            tree(
                "{'conditions':[{'type':'Ready','status':'True','reason':'','message':'Kubernetes"
                    + " Service CIDR is ready','lastTransitionTime':'2026-01-01T00:00:00Z'}]}"));
    assertThat(decide(ready, List.of(), List.of(), Duration.ofHours(1)).withStatus())
        .isEqualTo(ready);
  }

  static Stream<Arguments> deletions() {
    JsonObject larger = cidr("larger", FINALIZERS, "10.0.0.0/16");
    JsonObject smaller = cidr("smaller", FINALIZERS, "10.0.0.0/25");
    JsonObject same = cidr("same", FINALIZERS, "10.0.0.0/24");
    JsonObject elsewhere = cidr("elsewhere", FINALIZERS, "192.0.2.0/24");
    return Stream.of(
        Arguments.of("no addresses", List.of(), List.of(), true),
        Arguments.of("an address of its own", List.of(), List.of("10.0.0.7"), false),
        Arguments.of("an address elsewhere", List.of(elsewhere), List.of("192.0.2.9"), true),
        Arguments.of("an address before its first", List.of(), List.of("10.0.0.0"), true),
        Arguments.of("its broadcast address", List.of(), List.of("10.0.0.255"), true),
        Arguments.of("a larger one has it all", List.of(larger), List.of("10.0.0.7"), true),
        Arguments.of("another one has the same", List.of(same), List.of("10.0.0.7"), true),
        Arguments.of("a smaller one has it", List.of(smaller), List.of("10.0.0.7"), true),
        Arguments.of("a smaller one lacks it", List.of(smaller), List.of("10.0.0.200"), false));
  }

  @ParameterizedTest(name = "{0}: goes {3}")
  @MethodSource("deletions")
  void goesOnlyIfNoAddressIsLeftBehind(
      String name, List<JsonObject> others, List<String> addresses, boolean goes) {
    JsonObject going = cidr("a", FINALIZERS + "," + DELETION, "10.0.0.0/24");
    ServiceCidrPlan plan = decide(going, others, addresses, ServiceCidrPlan.GRACE);
    if (goes) {
      assertThat(plan.actions()).containsExactly(ServiceCidrAction.REMOVE_FINALIZER);
    } else {
      assertThat(plan.actions()).isEmpty();
      JsonObject condition =
          plan.withStatus().object("status").array("conditions").objects().getFirst();
      assertThat(condition.text("status")).isEqualTo("False");
      assertThat(condition.text("reason")).isEqualTo("Terminating");
      assertThat(condition.text("message"))
          .isEqualTo(
              "There are still IPAddresses referencing the ServiceCIDR, please remove them or create"
                  + " a new ServiceCIDR");
    }
  }

  @Test
  void goesNoSoonerThanTenSecondsAfterItsDeletion() {
    JsonObject going = cidr("a", FINALIZERS + "," + DELETION, "10.0.0.0/24");
    ServiceCidrPlan early = decide(going, List.of(), List.of(), Duration.ofMillis(9_999));
    assertThat(early.actions()).isEmpty();
    assertThat(early.next()).contains(DELETED.plusSeconds(10));
  }

  @Test
  void aSecondFamilyKeepsItToo() {
    JsonObject going = cidr("a", FINALIZERS + "," + DELETION, "10.0.0.0/24", "2001:db8::/112");
    JsonObject larger = cidr("larger", FINALIZERS, "10.0.0.0/16");
    assertThat(
            decide(going, List.of(larger), List.of("2001:db8::5"), ServiceCidrPlan.GRACE).actions())
        .isEmpty();
    assertThat(decide(going, List.of(larger), List.of("10.0.0.5"), ServiceCidrPlan.GRACE).actions())
        .containsExactly(ServiceCidrAction.REMOVE_FINALIZER);
  }
}
