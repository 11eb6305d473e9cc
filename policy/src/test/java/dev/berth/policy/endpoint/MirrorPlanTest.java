package dev.berth.policy.endpoint;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.network.EndpointSliceView;
import dev.berth.model.network.EndpointsView;
import dev.berth.model.network.ServiceView;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MirrorPlanTest {
  private static EndpointsView endpoints(String metadata, String subsets) {
    return new EndpointsView(
        tree(
            "{'metadata':{'name':'db','namespace':'default','uid':'e1'%s},'subsets':[%s]}"
                .formatted(metadata, subsets)));
  }

  /** A slice as the server answers it when it was created as planned. */
  private static JsonObject stored(JsonObject planned, String name) {
    return planned.update(
        "metadata",
        metadata -> metadata.without("generateName").with("name", name).with("uid", name));
  }

  private static String text(List<JsonObject> slices) {
    return slices.stream()
        .map(slice -> {
          EndpointSliceView view = new EndpointSliceView(slice);
          return view.addressType()
              + view.endpoints().stream()
                  .map(each ->
                      each.array("addresses").texts().getFirst()
                          + (each.object("conditions").flag("ready", false) ? "" : "!"))
                  .toList()
              + view.ports().objects().stream()
                  .map(port -> port.integer("port").orElse(0))
                  .toList();
        })
        .toList()
        .toString();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          without a selector            |                                                                        | {}                 | true
          with a selector               |                                                                        | {'selector':{'a':'b'}} | false
          without a service             |                                                                        |                    | false
          that are not to be            | ,'labels':{'endpointslice.kubernetes.io/skip-mirror':'true'}           | {}                 | false
          of which that is not said     | ,'labels':{'endpointslice.kubernetes.io/skip-mirror':'no'}             | {}                 | true
          by which a leader is elected  | ,'annotations':{'control-plane.alpha.kubernetes.io/leader':'{}'}       | {}                 | false
          """)
  void isMirrored(String name, String metadata, String service, boolean mirrored) {
    assertThat(
            MirrorPlan.isMirrored(
                endpoints(metadata == null ? "" : metadata, ""),
                service == null ? null : ServiceView.read(tree("{'spec':" + service + "}"))))
        .isEqualTo(mirrored);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          one subset       | {'addresses':[{'ip':'10.0.0.1'},{'ip':'10.0.0.2'}],'ports':[{'port':80}]} | [IPv4[10.0.0.1, 10.0.0.2][80]]
          not ready        | {'notReadyAddresses':[{'ip':'10.0.0.1'}],'ports':[{'port':80}]} | [IPv4[10.0.0.1!][80]]
          both families    | {'addresses':[{'ip':'10.0.0.1'},{'ip':'fd00::1'}],'ports':[{'port':80}]} | [IPv4[10.0.0.1][80], IPv6[fd00::1][80]]
          no ports         | {'addresses':[{'ip':'10.0.0.1'}]} | [IPv4[10.0.0.1][]]
          the same ports   | {'addresses':[{'ip':'10.0.0.1'}],'ports':[{'port':80}]},{'addresses':[{'ip':'10.0.0.2'}],'ports':[{'port':80}]} | [IPv4[10.0.0.1, 10.0.0.2][80]]
          the same address | {'addresses':[{'ip':'10.0.0.1'}],'ports':[{'port':80}]},{'addresses':[{'ip':'10.0.0.1'}],'ports':[{'port':81,'name':'b'}]} | [IPv4[10.0.0.1][80, 81]]
          nobody           | {'ports':[{'port':80}]} | []
          """)
  void whatIsSaidIsInSlices(String name, String subsets, String slices) {
    MirrorPlan plan = MirrorPlan.of(endpoints("", subsets), List.of());
    assertThat(text(plan.slices().create())).isEqualTo(slices);
    assertThat(plan.slices().update()).isEmpty();
    assertThat(plan.skipped()).isZero();
  }

  @Test
  void aSliceIsItsEndpointsOwnWithTheirLabelsAndAnnotations() {
    JsonObject slice =
        MirrorPlan.of(
                endpoints(
                    ",'labels':{'a':'b'},'annotations':{'x':'y','kubectl.kubernetes.io/last-applied-configuration':'{}',"
                        + "'endpoints.kubernetes.io/last-change-trigger-time':'t'}",
                    "{'addresses':[{'ip':'10.0.0.1','hostname':'h','nodeName':'n','targetRef':{'kind':'Pod','name':'p'}}],"
                        + "'ports':[{'name':'web','port':80,'protocol':'UDP','appProtocol':'http'}]}"),
                List.of())
            .slices()
            .create()
            .getFirst();
    assertThat(slice)
        .isEqualTo(
            tree(
                """
                {'kind':'EndpointSlice','apiVersion':'discovery.k8s.io/v1','metadata':{
                   'namespace':'default','generateName':'db-',
                   'labels':{'a':'b','kubernetes.io/service-name':'db',
                     'endpointslice.kubernetes.io/managed-by':'endpointslicemirroring-controller.k8s.io'},
                   'annotations':{'x':'y'},
                   'ownerReferences':[{'apiVersion':'v1','kind':'Endpoints','name':'db','uid':'e1',
                     'controller':true,'blockOwnerDeletion':true}]},
                 'addressType':'IPv4',
                 'endpoints':[{'addresses':['10.0.0.1'],'conditions':{'ready':true},'hostname':'h',
                   'targetRef':{'kind':'Pod','name':'p'},'nodeName':'n'}],
                 'ports':[{'name':'web','protocol':'UDP','port':80,'appProtocol':'http'}]}
                """));
  }

  @Test
  void aSliceIsWrittenOnlyIfItDoesNotSaySoYetAndRecycledIfItsPortsChange() {
    String one = "{'addresses':[{'ip':'10.0.0.1'}],'ports':[{'port':80}]}";
    JsonObject slice =
        stored(MirrorPlan.of(endpoints("", one), List.of()).slices().create().getFirst(), "db-1");
    assertThat(MirrorPlan.of(endpoints("", one), List.of(slice)).slices().isEmpty()).isTrue();

    for (EndpointsView changed :
        List.of(
            endpoints(",'labels':{'a':'b'}", one),
            endpoints("", one.replace("10.0.0.1", "10.0.0.2")),
            endpoints("", one.replace("80", "81")))) {
      SlicePlan plan = MirrorPlan.of(changed, List.of(slice)).slices();
      assertThat(plan.create()).isEmpty();
      assertThat(plan.delete()).isEmpty();
      assertThat(plan.update())
          .extracting(each -> new EndpointSliceView(each).metadata().name())
          .containsExactly("db-1");
    }

    assertThat(MirrorPlan.of(endpoints("", one), List.of(slice, stored(slice, "db-2"))).slices())
        .isEqualTo(new SlicePlan(List.of(), List.of(), List.of(stored(slice, "db-2"))));
    assertThat(MirrorPlan.of(endpoints("", ""), List.of(slice)).slices())
        .isEqualTo(MirrorPlan.nothing(List.of(slice)).slices());
  }

  @Test
  void ofTooManyAddressesAThousandAreMirrored() {
    JsonArray addresses =
        JsonArray.copyOf(
            IntStream.range(0, 1003)
                .mapToObj(i -> JsonObject.of("ip", "10.0.%d.%d".formatted(i / 250, i % 250)))
                .toList());
    EndpointsView many =
        new EndpointsView(
            endpoints("", "")
                .tree()
                .with("subsets", JsonArray.of(JsonObject.of("addresses", addresses))));
    MirrorPlan plan = MirrorPlan.of(many, List.of());
    assertThat(plan.skipped()).isEqualTo(3);
    assertThat(new EndpointSliceView(plan.slices().create().getFirst()).endpoints()).hasSize(1000);
  }
}
