package dev.berth.policy.resourceclaim;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.resourceclaim.PodClaimPlan.Problem;
import dev.berth.policy.resourceclaim.PodClaimPlan.Step;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which claims are made for pods, and which are reserved for them. */
class PodClaimPlanTest {
  private static final JsonObject TEMPLATE =
      tree(
          "{'metadata':{'name':'one-gpu'},'spec':{'metadata':{'labels':{'a':'b'},"
              + "'annotations':{'c':'d'}},'spec':{'devices':{'requests':[{'name':'gpu'}]}}}}");
  private static final String OWNED =
      "'ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'web','uid':'u1','controller':true}]";

  private static JsonObject pod(String spec, String status) {
    return tree(
        "{'metadata':{'namespace':'default','name':'web','uid':'u1'},'spec':{'resourceClaims':["
            + "{'name':'gpu','resourceClaimTemplateName':'one-gpu'}]"
            + spec
            + "},'status':{"
            + status
            + "}}");
  }

  private static JsonObject claim(String name, String metadata, String status) {
    return tree(
        "{'metadata':{'namespace':'default','name':'%s','uid':'c-%s'%s},'status':{%s}}"
            .formatted(name, name, metadata.isEmpty() ? "" : "," + metadata, status));
  }

  private static PodClaimPlan plan(JsonObject pod, JsonObject... claims) {
    Map<String, ResourceClaimView> byName = new HashMap<>();
    List<ResourceClaimView> all = Arrays.stream(claims).map(ResourceClaimView::read).toList();
    all.forEach(claim -> byName.put(claim.name().name(), claim));
    List<ResourceClaimView> owned =
        all.stream().filter(claim -> claim.metadata().isControlledBy("u1")).toList();
    return PodClaimPlan.decide(new PodClaims(pod, byName, owned, Map.of("one-gpu", TEMPLATE)));
  }

  @Test
  void aClaimIsMadeFromItsTemplate() {
    PodClaimPlan plan = plan(pod("", ""));
    assertThat(plan.claims())
        .containsExactly(
            new Step.Create(
                "gpu",
                tree(
                    "{'apiVersion':'resource.k8s.io/v1','kind':'ResourceClaim','metadata':"
                        + "{'namespace':'default','generateName':'web-gpu-','labels':{'a':'b'},"
                        + "'annotations':{'c':'d','resource.kubernetes.io/pod-claim-name':'gpu'},"
                        + OWNED
                        + "},'spec':{'devices':{'requests':[{'name':'gpu'}]}}}")));
    assertThat(plan.problem()).isEmpty();
  }

  @Test
  void aClaimThatWasMadeBeforeACrashIsRecorded() {
    JsonObject made =
        claim(
            "web-gpu-x1",
            OWNED + ",'annotations':{'resource.kubernetes.io/pod-claim-name':'gpu'}",
            "");
    assertThat(plan(pod("", ""), made).claims())
        .containsExactly(new Step.Found("gpu", "web-gpu-x1"));
  }

  @Test
  void aClaimThatIsRecordedIsLeftAlone() {
    String status = "'resourceClaimStatuses':[{'name':'gpu','resourceClaimName':'web-gpu-x1'}]";
    assertThat(plan(pod("", status), claim("web-gpu-x1", OWNED, "")).isEmpty()).isTrue();
  }

  @Test
  void aClaimThatWasDeletedOrIsAnothersIsMadeAgain() {
    String status = "'resourceClaimStatuses':[{'name':'gpu','resourceClaimName':'web-gpu-x1'}]";
    assertThat(plan(pod("", status)).claims()).singleElement().isInstanceOf(Step.Create.class);
    assertThat(plan(pod("", status), claim("web-gpu-x1", "", "")).claims())
        .singleElement()
        .isInstanceOf(Step.Create.class);
  }

  @Test
  void aClaimThatIsNotNeededIsNotMade() {
    assertThat(plan(pod("", "'resourceClaimStatuses':[{'name':'gpu'}]")).isEmpty()).isTrue();
  }

  @Test
  void nothingIsMadeForAPodThatHasEnded() {
    assertThat(plan(pod("", "'phase':'Succeeded'")).isEmpty()).isTrue();
  }

  @Test
  void aMissingTemplateIsAProblem() {
    PodClaims known = new PodClaims(pod("", ""), Map.of(), List.of(), Map.of());
    assertThat(PodClaimPlan.decide(known).problem())
        .contains(
            new Problem(
                "gpu",
                "resource claim template \"one-gpu\":"
                    + " resourceclaimtemplate.resource.k8s.io \"one-gpu\" not found"));
  }

  @Test
  void aPodThatWasPutOnANodeHasItsClaimReserved() {
    String status = "'resourceClaimStatuses':[{'name':'gpu','resourceClaimName':'web-gpu-x1'}]";
    JsonObject allocated = claim("web-gpu-x1", OWNED, "'allocation':{}");
    assertThat(plan(pod("", status), allocated).reservations()).isEmpty();
    assertThat(plan(pod(",'nodeName':'n1'", status), allocated).reservations())
        .singleElement()
        .satisfies(reserved ->
            assertThat(reserved.object("status").array("reservedFor").toString())
                .isEqualTo("[{\"resource\":\"pods\",\"name\":\"web\",\"uid\":\"u1\"}]"));
    JsonObject unallocated = claim("web-gpu-x1", OWNED, "");
    assertThat(plan(pod(",'nodeName':'n1'", status), unallocated).reservations()).isEmpty();
  }

  @ParameterizedTest(name = "{0}, {1}")
  @CsvSource({
    "web, gpu, web-gpu-",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbb, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbb-",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbb, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbb",
  })
  void namesHaveRoomForWhatTheServerDraws(String pod, String claim, String generated) {
    assertThat(GeneratedClaim.generateName(pod, claim)).isEqualTo(generated);
  }
}
