package dev.berth.agent.podspec;

import static dev.berth.model.fixture.Fixtures.tree;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.runtime.ContainerSpec;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.Mount;
import dev.berth.agent.runtime.Placement;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.SandboxSpec;
import dev.berth.agent.runtime.Security;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.device.DeviceGrant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a pod's specification means to a runtime. */
final class SpecsTest {
  private static final PodId ID = new PodId("shop", "web", "u1");

  @TempDir private Path root;
  private String resolverLines = "nameserver 9.9.9.9\nsearch office.example.\noptions timeout:2\n";

  private SpecSettings settings() throws IOException {
    Path resolver = root.resolve("resolv.conf");
    Files.writeString(resolver, resolverLines);
    return new SpecSettings(
        root, "cluster.local", List.of("10.96.0.10"), resolver.toString(), OptionalLong.empty());
  }

  private static JsonObject pod(String spec) {
    return tree("{'metadata':{'name':'web','namespace':'shop','uid':'u1'},'spec':" + spec + "}");
  }

  private SandboxSpec sandbox(String spec) throws SpecFailure, IOException {
    return made(spec).spec();
  }

  private SandboxSpecs.Made made(String spec) throws SpecFailure, IOException {
    return SandboxSpecs.of(ID, pod(spec), JsonObject.EMPTY, settings(), Placement.OfPod.ANYWHERE);
  }

  private ContainerSpec container(String spec, String container) throws SpecFailure, IOException {
    return ContainerSpecs.of(
        new ContainerSpecs.Request(
            ID,
            pod(spec),
            tree(container),
            2,
            Map.of("A", "one"),
            List.of(),
            List.of(77L),
            List.of("10.0.0.2"),
            JsonObject.EMPTY,
            DeviceGrant.NOTHING,
            Placement.OfPod.ANYWHERE),
        settings());
  }

  @Test
  void namesAreLookedUpInTheClusterFirst() throws Exception {
    SandboxSpec.Dns dns = sandbox("{}").dns();
    assertThat(dns.servers()).containsExactly("10.96.0.10");
    assertThat(dns.searches())
        .containsExactly(
            "shop.svc.cluster.local", "svc.cluster.local", "cluster.local", "office.example");
    assertThat(dns.options()).containsExactly("ndots:5");
  }

  @Test
  void namesAreLookedUpAsTheMachineDoesWithItsNetwork() throws Exception {
    SandboxSpec.Dns dns = sandbox("{'hostNetwork':true}").dns();
    assertThat(dns.servers()).containsExactly("9.9.9.9");
    assertThat(
            sandbox("{'hostNetwork':true,'dnsPolicy':'ClusterFirstWithHostNet'}").dns().servers())
        .containsExactly("10.96.0.10");
  }

  @Test
  void dnsConfigIsAddedToAllPolicies() throws Exception {
    SandboxSpec.Dns dns =
        sandbox(
                "{'dnsPolicy':'None','dnsConfig':{'nameservers':['1.1.1.1'],'searches':['x'],'options':[{'name':'ndots','value':'2'},{'name':'edns0'}]}}")
            .dns();
    assertThat(dns.servers()).containsExactly("1.1.1.1");
    assertThat(dns.options()).containsExactly("ndots:2", "edns0");
  }

  @Test
  void whatIsTooMuchForTheResolverIsLeftOutAndSaid() throws Exception {
    SandboxSpecs.Made many =
        made(
            ("{'dnsConfig':{'nameservers':['1.1.1.1','2.2.2.2','3.3.3.3'],"
                    + "'searches':['a','%s','b']}}")
                .formatted("x".repeat(254)));
    assertThat(many.spec().dns().servers()).containsExactly("10.96.0.10", "1.1.1.1", "2.2.2.2");
    assertThat(many.spec().dns().searches()).endsWith("office.example", "a", "b").hasSize(6);
    assertThat(many.warnings())
        .containsExactly(
            new SpecWarning(
                "DNSConfigForming",
                "Nameserver limits were exceeded, some nameservers have been omitted, the applied"
                    + " nameserver line is: 10.96.0.10 1.1.1.1 2.2.2.2"),
            new SpecWarning(
                "DNSConfigForming",
                "Search Line limits were exceeded, some search paths have been omitted, the"
                    + " applied search line is: shop.svc.cluster.local svc.cluster.local"
                    + " cluster.local office.example a b"));
    String long250 =
        IntStream.range(0, 9).mapToObj(i -> "'" + i + "y".repeat(249) + "'").collect(joining(","));
    assertThat(
            made("{'dnsPolicy':'None','dnsConfig':{'searches':[" + long250 + "]}}")
                .spec()
                .dns()
                .searches())
        .as("2048 characters in all")
        .hasSize(8);
    String numbers = IntStream.range(0, 33).mapToObj(i -> "'s" + i + "'").collect(joining(","));
    assertThat(
            made("{'dnsPolicy':'None','dnsConfig':{'searches':[" + numbers + "]}}")
                .spec()
                .dns()
                .searches())
        .hasSize(32);
    assertThat(made("{}").warnings()).isEmpty();
  }

  @Test
  void theMachinesOwnSettingsAreReadAsAResolverReadsThem() throws Exception {
    resolverLines =
        """
        # office
        nameserver 9.9.9.9
        search lost.example
        search . office.example.
        options ndots:1 edns0
        options ndots:2
        """;
    SandboxSpec.Dns dns = sandbox("{'dnsPolicy':'Default'}").dns();
    assertThat(dns.searches()).containsExactly("office.example");
    assertThat(dns.options()).containsExactly("ndots:2", "edns0");
  }

  @Test
  void withoutServersOfTheClusterOrTheMachineThereIsAWarningOrNoLookup() throws Exception {
    SpecSettings none = new SpecSettings(root, "", List.of(), "", OptionalLong.empty());
    SandboxSpecs.Made made =
        SandboxSpecs.of(ID, pod("{}"), JsonObject.EMPTY, none, Placement.OfPod.ANYWHERE);
    assertThat(made.spec().dns())
        .isEqualTo(new SandboxSpec.Dns(List.of("127.0.0.1"), List.of("."), List.of()));
    assertThat(made.warnings())
        .containsExactly(
            new SpecWarning(
                "MissingClusterDNS",
                "pod: \"web_shop(u1)\". kubelet does not have ClusterDNS IP configured and cannot"
                    + " create Pod using \"ClusterFirst\" policy. Falling back to \"Default\""
                    + " policy."));
    assertThat(
            SandboxSpecs.of(
                    ID,
                    pod("{'dnsPolicy':'Default'}"),
                    JsonObject.EMPTY,
                    none,
                    Placement.OfPod.ANYWHERE)
                .warnings())
        .isEmpty();
  }

  @Test
  void aPodHasAHostname() throws Exception {
    assertThat(sandbox("{}").hostname()).isEqualTo("web");
    assertThat(sandbox("{'hostname':'h','subdomain':'s'}").hostname()).isEqualTo("h");
    assertThat(sandbox("{'hostname':'h','subdomain':'s','setHostnameAsFQDN':true}").hostname())
        .isEqualTo("h.s.shop.svc.cluster.local");
    assertThatThrownBy(
            () -> sandbox("{'subdomain':'%s','setHostnameAsFQDN':true}".formatted("s".repeat(60))))
        .hasMessageContaining("is too long (64 characters is the max");
  }

  @Test
  void hostsAndTheTerminationLogAreMounted() throws Exception {
    ContainerSpec spec =
        container(
            "{'subdomain':'s','hostAliases':[{'ip':'1.2.3.4','hostnames':['a','b']}]}",
            "{'name':'c','image':'i'}");
    assertThat(spec.mounts())
        .extracting(Mount::containerPath)
        .containsExactly("/etc/hosts", "/dev/termination-log");
    assertThat(Files.readString(Path.of(spec.mounts().getFirst().hostPath())))
        .contains("10.0.0.2\tweb.s.shop.svc.cluster.local\tweb\n")
        .endsWith("\n# Entries added by HostAliases.\n1.2.3.4\ta\tb\n");
    assertThat(Path.of(spec.terminationMessageFile())).exists();
  }

  @Test
  void commandsAreExpanded() throws Exception {
    ContainerSpec spec = container("{}", "{'name':'c','command':['$(A)'],'args':['$$(A)']}");
    assertThat(spec.command()).containsExactly("one");
    assertThat(spec.arguments()).containsExactly("$(A)");
  }

  @Test
  void aContainersSecurityContextCountsBeforeItsPods() throws Exception {
    Security security =
        container(
                "{'securityContext':{'runAsUser':1,'runAsGroup':2,'fsGroup':5,'supplementalGroups':[6]}}",
                "{'name':'c','securityContext':{'runAsUser':9,'readOnlyRootFilesystem':true,'capabilities':{'add':['NET_ADMIN'],'drop':['ALL']}}}")
            .security();
    assertThat(security.user()).hasValue(9);
    assertThat(security.group()).hasValue(2);
    assertThat(security.groups()).containsExactly(6L, 5L, 77L);
    assertThat(security.hasReadOnlyRoot()).isTrue();
    assertThat(security.mayGainPrivileges()).isFalse();
    assertThat(security.capabilities()).containsExactly("NET_ADMIN");
    assertThat(security.droppedCapabilities()).containsExactly("ALL");
    assertThat(security.seccomp()).isEqualTo("RuntimeDefault");
  }

  @Test
  void rootIsRefusedWhereItMustNotBe() {
    assertThatThrownBy(() ->
            container("{}", "{'name':'c','securityContext':{'runAsUser':0,'runAsNonRoot':true}}"))
        .hasMessageStartingWith("container's runAsUser breaks non-root policy");
  }

  @Test
  void theLastWordsOfAContainerAreRead() throws Exception {
    ContainerSpec spec = container("{}", "{'name':'c'}");
    Path log = root.resolve("log");
    Files.writeString(
        log, "2030-01-01T00:00:00Z stdout F hello\n2030-01-01T00:00:01Z stderr F it broke\n");
    ContainerStatus status =
        new ContainerStatus(
            "id",
            "c",
            2,
            "i",
            "i",
            List.of(),
            "i",
            Instant.EPOCH,
            log.toString(),
            new ContainerStatus.Exit(1, 0, false, "", Instant.EPOCH));
    JsonObject fallback = tree("{'name':'c','terminationMessagePolicy':'FallbackToLogsOnError'}");

    assertThat(TerminationMessage.read(settings(), "u1", tree("{'name':'c'}"), status)).isEmpty();
    assertThat(TerminationMessage.read(settings(), "u1", fallback, status))
        .isEqualTo("hello\nit broke\n");
    Files.writeString(log, "2030-01-01T00:00:00Z stdout P DO\n2030-01-01T00:00:01Z stdout P NE\n");
    assertThat(TerminationMessage.read(settings(), "u1", fallback, status))
        .as("nothing ended a line")
        .isEqualTo("DONE");
    Files.writeString(Path.of(spec.terminationMessageFile()), "x".repeat(5000) + "bye");
    assertThat(TerminationMessage.read(settings(), "u1", fallback, status))
        .hasSize(4096)
        .endsWith("bye");
  }
}
