package dev.berth.admission;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may use devices that others have. */
class DeviceAdminAccessTest {
  private static final String REFUSAL =
      "adminAccess: Forbidden: admin access to devices requires the"
          + " `resource.kubernetes.io/admin-access: true` label on the containing namespace";

  private final TestCluster cluster = new TestCluster(AdmissionPlugins.standard()::chain);

  private void label(String value) {
    cluster.registry.modify(
        cluster.core("namespaces"),
        ObjectName.of("default"),
        WriteOptions.DEFAULT,
        namespace ->
            Metadata.update(
                namespace,
                metadata ->
                    metadata.with(
                        "labels", JsonObject.of("resource.kubernetes.io/admin-access", value))));
  }

  private void claim(String name, String request) {
    cluster.create(
        "resource.k8s.io",
        "resourceclaims",
        "default",
        "{'metadata':{'name':'%s'},'spec':{'devices':{'requests':[%s]}}}".formatted(name, request));
  }

  private static String request(String name, boolean admin) {
    return "{'name':'%s','exactly':{'deviceClassName':'c'%s}}"
        .formatted(name, admin ? ",'adminAccess':true" : "");
  }

  @Test
  void aNamespaceIsLabelledForIt() {
    label("true");
    claim("c", request("r", true));
    label("yes");
    assertThat(refused(() -> claim("d", request("r", true))).message()).contains(REFUSAL);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          the first request that asks for it | c | r | s  | true  | spec.devices.requests[1].
          together with what else is wrong   | c | r | S_ | true  | [spec.devices.requests[1].
          in the metadata, too               | C | r | s  | true  | [spec.devices.requests[1].
          """)
  void itIsToldBeforeAllThatIsWrongWithAClaim(
      String rule, String name, String first, String second, boolean admin, String begin) {
    String requests = request(first, false) + "," + request(second, admin);
    assertThat(refused(() -> claim(name, requests)).message())
        .as(rule)
        .startsWith(
            "ResourceClaim.resource.k8s.io \"%s\" is invalid: %s%s"
                .formatted(name, begin, REFUSAL));
  }

  @Test
  void anAllocationDoesNotGrantItElsewhere() {
    claim("c", request("r", false));
    JsonObject status =
        tree(
            "{'allocation':{'devices':{'results':[{'request':'r','driver':'d.example.com','pool':'p','device':'x','adminAccess':true}]}}}");
    assertThat(
            refused(() ->
                    cluster.registry.modify(
                        cluster.resource("resource.k8s.io", "resourceclaims"),
                        named("c"),
                        WriteOptions.DEFAULT.subresource("status"),
                        claim -> claim.with("status", status)))
                .message())
        .isEqualTo(
            "ResourceClaim.resource.k8s.io \"c\" is invalid:"
                + " status.allocation.devices.results[0]."
                + REFUSAL);
  }
}
