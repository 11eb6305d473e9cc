package dev.berth.policy.allocation;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.NodeView;
import dev.berth.model.device.DeviceClassView;
import dev.berth.model.device.DeviceId;
import dev.berth.model.device.DeviceView;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.device.ResourceSliceView;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which devices claims get. Selectors are {@code attribute=value} here. */
class DeviceAllocatorTest {
  private static final NodeView NODE =
      NodeView.read(tree("{'metadata':{'name':'n1','labels':{'zone':'a'}}}"));

  private final DeviceInventory inventory = new DeviceInventory();
  private final Set<DeviceId> allocated = new HashSet<>();
  private final Map<DeviceId, Map<String, Quantity>> consumed = new HashMap<>();
  private final Map<String, DeviceClassView> classes = new HashMap<>();

  DeviceAllocatorTest() {
    deviceClass("gpu", "");
  }

  private void deviceClass(String name, String spec) {
    classes.put(
        name,
        DeviceClassView.read(tree("{'metadata':{'name':'" + name + "'},'spec':{" + spec + "}}")));
  }

  private void slice(String name, String spec) {
    inventory.put(
        ResourceSliceView.read(
            tree("{'metadata':{'name':'" + name + "'},'spec':{'driver':'d.e'," + spec + "}}")));
  }

  /** A pool of one slice on the node. */
  private void pool(String pool, String... devices) {
    slice(
        pool,
        "'pool':{'name':'%s','generation':1,'resourceSliceCount':1},'nodeName':'n1','devices':[%s]"
            .formatted(pool, String.join(",", devices)));
  }

  private static String device(String name, String... fields) {
    List<String> all = new ArrayList<>(List.of("'name':'" + name + "'"));
    all.addAll(List.of(fields));
    return "{" + String.join(",", all) + "}";
  }

  private static String model(String model) {
    return "'attributes':{'model':{'string':'" + model + "'}}";
  }

  private static JsonObject claim(String devices) {
    return tree(
        "{'metadata':{'namespace':'default','name':'c'},'spec':{'devices':{" + devices + "}}}");
  }

  private static String exactly(String name, String fields) {
    return "{'name':'%s','exactly':{'deviceClassName':'gpu'%s}}"
        .formatted(name, fields.isEmpty() ? "" : "," + fields);
  }

  private AllocationOutcome allocate(JsonObject... claims) {
    AllocatedDevices state =
        new AllocatedDevices() {
          @Override
          public boolean isAllocated(DeviceId device) {
            return allocated.contains(device);
          }

          @Override
          public @Nullable Map<String, Quantity> consumed(DeviceId device) {
            return consumed.get(device);
          }
        };
    DeviceAllocator allocator =
        new DeviceAllocator(
            inventory, state, classes::get, DeviceAllocatorTest::select, () -> "share");
    return allocator.allocate(List.of(claims).stream().map(ResourceClaimView::read).toList(), NODE);
  }

  private static DeviceSelectors.Answer select(
      String expression, String driver, DeviceView device) {
    String[] parts = expression.split("=", 2);
    if (parts.length == 1) {
      return new DeviceSelectors.Answer.Failed("CEL runtime error: " + expression);
    }
    String value = device.attributes().object(parts[0]).text("string", "");
    return new DeviceSelectors.Answer.Selected(value.equals(parts[1]));
  }

  /** {@code request=pool/device} for each device, or why there is none. */
  private String devices(JsonObject... claims) {
    return switch (allocate(claims)) {
      case AllocationOutcome.Failed(String message) -> message;
      case AllocationOutcome.NotOnNode(String message) -> message;
      case AllocationOutcome.Allocated(List<JsonObject> allocations) -> {
        List<String> all = new ArrayList<>();
        for (JsonObject allocation : allocations) {
          for (JsonObject result : allocation.object("devices").array("results").objects()) {
            all.add(
                result.text("request", "")
                    + "="
                    + result.text("pool", "")
                    + "/"
                    + result.text("device", ""));
          }
        }
        yield String.join(" ", all);
      }
    };
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          one            | 'requests':[EXACTLY()]                                  | r=p/g1
          two            | 'requests':[EXACTLY('count':2)]                         | r=p/g1 r=p/g2
          all            | 'requests':[EXACTLY('allocationMode':'All')]            | r=p/g1 r=p/g2 r=q/g1
          too many       | 'requests':[EXACTLY('count':4)]                         | cannot allocate all claims
          a selector     | 'requests':[EXACTLY('selectors':[{'cel':{'expression':'model=big'}}])] | r=p/g2
          of the other   | 'requests':[EXACTLY('selectors':[{'cel':{'expression':'model=none'}}])] | cannot allocate all claims
          a wrong one    | 'requests':[EXACTLY('selectors':[{'cel':{'expression':'x'}}])] | claim default/c: selector #0: CEL runtime error: x
          no such class  | 'requests':[{'name':'r','exactly':{'deviceClassName':'no'}}] | claim default/c, request r: could not retrieve device class no: deviceclass.resource.k8s.io "no" not found
          more than 32   | 'requests':[EXACTLY('count':33)]                        | claim default/c: number of requested devices 33 exceeds the claim limit of 32
          backtracking   | 'requests':[EXACTLY(),{'name':'s','exactly':{'deviceClassName':'gpu','selectors':[{'cel':{'expression':'model=small'}}],'count':2}}] | r=p/g2 s=p/g1 s=q/g1
          the same model | 'requests':[EXACTLY('count':2)],'constraints':[{'matchAttribute':'d.e/model'}] | r=p/g1 r=q/g1
          other models   | 'requests':[EXACTLY('count':2)],'constraints':[{'distinctAttribute':'d.e/model'}] | r=p/g1 r=p/g2
          of no device   | 'requests':[EXACTLY()],'constraints':[{'matchAttribute':'d.e/numa'}] | cannot allocate all claims
          all the same   | 'requests':[EXACTLY('allocationMode':'All')],'constraints':[{'matchAttribute':'d.e/model'}] | claim default/c, request r: cannot add device d.e/p/g2 because a claim constraint would not be satisfied
          the first      | 'requests':[{'name':'r','firstAvailable':[{'name':'a','deviceClassName':'gpu','count':2,'selectors':[{'cel':{'expression':'model=big'}}]},{'name':'b','deviceClassName':'gpu','count':2}]}] | r/b=p/g1 r/b=p/g2
          """)
  void devicesAreChosen(String row, String devices, String expected) {
    pool("p", device("g1", model("small")), device("g2", model("big")));
    pool("q", device("g1", model("small")));
    String filled =
        devices
            .replaceAll("EXACTLY\\(\\)", exactly("r", ""))
            .replaceAll(
                "EXACTLY\\(([^)]*)\\)", "{'name':'r','exactly':{'deviceClassName':'gpu',$1}}");
    assertThat(devices(claim(filled))).isEqualTo(expected);
  }

  @Test
  void whatOthersHaveIsNotGivenAgainExceptToAdmins() {
    pool("p", device("g1"), device("g2"));
    allocated.add(new DeviceId("d.e", "p", "g1"));
    JsonObject one = claim("'requests':[" + exactly("r", "") + "]");
    assertThat(devices(one)).isEqualTo("r=p/g2");
    assertThat(devices(one, one)).isEqualTo("cannot allocate all claims");
    assertThat(devices(claim("'requests':[" + exactly("r", "'adminAccess':true") + "]")))
        .isEqualTo("r=p/g1");
    assertThat(devices(claim("'requests':[" + exactly("r", "'allocationMode':'All'") + "]")))
        .isEqualTo("cannot allocate all claims");
  }

  @Test
  void aClaimOnAllDevicesNeedsOne() {
    assertThat(devices(claim("'requests':[" + exactly("r", "'allocationMode':'All'") + "]")))
        .isEqualTo("cannot allocate all claims");
  }

  @Test
  void taintsAreTolerated() {
    pool("p", device("g1", "'taints':[{'key':'bad','effect':'NoSchedule'}]"), device("g2"));
    assertThat(devices(claim("'requests':[" + exactly("r", "") + "]"))).isEqualTo("r=p/g2");
    assertThat(
            devices(
                claim(
                    "'requests':["
                        + exactly("r", "'tolerations':[{'key':'bad','operator':'Exists'}]")
                        + "]")))
        .isEqualTo("r=p/g1");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          its node        | 'nodeName':'n1'                | r=p/g1
          another node    | 'nodeName':'n2'                | cannot allocate all claims
          all nodes       | 'allNodes':true                | r=p/g1
          its zone        | 'nodeSelector':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'zone','operator':'In','values':['a']}]}]} | r=p/g1
          another zone    | 'nodeSelector':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'zone','operator':'In','values':['b']}]}]} | cannot allocate all claims
          """)
  void slicesAreForNodes(String row, String place, String expected) {
    slice(
        "s",
        "'pool':{'name':'p','generation':1,'resourceSliceCount':1},"
            + place
            + ",'devices':[{'name':'g1'}]");
    assertThat(devices(claim("'requests':[" + exactly("r", "") + "]"))).isEqualTo(expected);
  }

  @Test
  void devicesMayBeForNodesOneByOne() {
    slice(
        "s",
        "'pool':{'name':'p','generation':1,'resourceSliceCount':1},'perDeviceNodeSelection':true,"
            + "'devices':[{'name':'g1','nodeName':'n2'},{'name':'g2','allNodes':true}]");
    assertThat(devices(claim("'requests':[" + exactly("r", "") + "]"))).isEqualTo("r=p/g2");
  }

  @Test
  void onlyTheNewestGenerationOfACompletePoolCounts() {
    String pool = "'pool':{'name':'p','generation':%d,'resourceSliceCount':%d},'nodeName':'n1',";
    slice("s1", pool.formatted(1, 1) + "'devices':[{'name':'old'}]");
    JsonObject one = claim("'requests':[" + exactly("r", "") + "]");
    assertThat(devices(one)).isEqualTo("r=p/old");
    slice("s2", pool.formatted(2, 2) + "'devices':[{'name':'new'}]");
    assertThat(devices(one)).isEqualTo("cannot allocate all claims");
    assertThat(devices(claim("'requests':[" + exactly("r", "'allocationMode':'All'") + "]")))
        .isEqualTo(
            "claim default/c, request r: asks for all devices, but resource pool d.e/p is currently"
                + " being updated");
    slice("s3", pool.formatted(2, 2) + "'devices':[{'name':'newer'}]");
    assertThat(devices(one)).isEqualTo("r=p/new");
    inventory.remove("s3");
    assertThat(devices(one)).isEqualTo("cannot allocate all claims");
  }

  @Test
  void aPoolWithADeviceTwiceIsInvalid() {
    pool("p", device("g1"), device("g1"));
    assertThat(devices(claim("'requests':[" + exactly("r", "") + "]")))
        .isEqualTo("invalid resource pools were encountered");
  }

  @Test
  void partitionsShareTheCountersOfTheirPool() {
    String pool = "'pool':{'name':'p','generation':1,'resourceSliceCount':2},'nodeName':'n1',";
    slice(
        "counters",
        pool + "'sharedCounters':[{'name':'gpu','counters':{'memory':{'value':'40Gi'}}}]");
    String part =
        "{'name':'%s','consumesCounters':[{'counterSet':'gpu','counters':{'memory':{'value':'%s'}}}]}";
    slice(
        "devices",
        pool
            + "'devices':["
            + part.formatted("whole", "40Gi")
            + ","
            + part.formatted("half-1", "20Gi")
            + ","
            + part.formatted("half-2", "20Gi")
            + "]");
    assertThat(devices(claim("'requests':[" + exactly("r", "") + "]"))).isEqualTo("r=p/whole");
    assertThat(devices(claim("'requests':[" + exactly("r", "'count':2") + "]")))
        .isEqualTo("r=p/half-1 r=p/half-2");
    assertThat(devices(claim("'requests':[" + exactly("r", "'count':3") + "]")))
        .isEqualTo("cannot allocate all claims");
    allocated.add(new DeviceId("d.e", "p", "half-1"));
    assertThat(devices(claim("'requests':[" + exactly("r", "") + "]"))).isEqualTo("r=p/half-2");
  }

  @Test
  void sharedDevicesGiveOfTheirCapacity() {
    pool(
        "p",
        device(
            "nic",
            "'allowMultipleAllocations':true",
            "'capacity':{'bandwidth':{'value':'10Gi','requestPolicy':{'default':'1Gi',"
                + "'validRange':{'min':'1Gi','step':'1Gi'}}}}"));
    String six = exactly("r", "'capacity':{'requests':{'bandwidth':'5500Mi'}}");
    JsonObject claim = claim("'requests':[" + six + "]");
    assertThat(allocate(claim))
        .isInstanceOfSatisfying(
            AllocationOutcome.Allocated.class,
            done ->
                assertThat(done.allocations().getFirst().object("devices").toString())
                    .contains(
                        "\"shareID\":\"share\",\"consumedCapacity\":{\"bandwidth\":\"6Gi\"}"));
    assertThat(devices(claim, claim)).isEqualTo("cannot allocate all claims");
    JsonObject usual = claim("'requests':[" + exactly("r", "") + "]");
    assertThat(devices(claim, usual, usual)).isEqualTo("r=p/nic r=p/nic r=p/nic");
    consumed.put(new DeviceId("d.e", "p", "nic"), Map.of("bandwidth", Quantity.parse("5Gi")));
    assertThat(devices(claim)).isEqualTo("cannot allocate all claims");
    assertThat(devices(usual)).isEqualTo("r=p/nic");
  }

  @Test
  void driversAreToldWhatClassesAndClaimsSay() {
    deviceClass("gpu", "'config':[{'opaque':{'driver':'d.e','parameters':{'from':'class'}}}]");
    pool("p", device("g1"), device("g2"));
    JsonObject claim =
        claim(
            "'requests':["
                + exactly("r", "")
                + ","
                + exactly("s", "")
                + "],'config':[{'requests':['s'],'opaque':{'driver':'d.e','parameters':{}}},"
                + "{'requests':['t'],'opaque':{'driver':'d.e','parameters':{}}}]");
    assertThat(allocate(claim))
        .isInstanceOfSatisfying(
            AllocationOutcome.Allocated.class,
            done -> {
              JsonObject allocation = done.allocations().getFirst();
              assertThat(allocation.object("devices").array("config"))
                  .isEqualTo(
                      tree("{'x':[{'source':'FromClass','requests':['r','s'],'opaque':"
                              + "{'driver':'d.e','parameters':{'from':'class'}}},"
                              + "{'source':'FromClaim','requests':['s'],'opaque':"
                              + "{'driver':'d.e','parameters':{}}}]}")
                          .array("x"));
              assertThat(allocation.object("nodeSelector"))
                  .isEqualTo(
                      tree(
                          "{'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name',"
                              + "'operator':'In','values':['n1']}]}]}"));
            });
  }

  @Test
  void earlierAlternativesAreWorthMore() {
    JsonObject claim =
        claim(
            "'requests':[{'name':'r','firstAvailable':[{'name':'a','deviceClassName':'gpu'},"
                + "{'name':'b','deviceClassName':'gpu'}]}]");
    ResourceClaimView view = ResourceClaimView.read(claim);
    assertThat(AlternativeRank.of(view, tree("{'devices':{'results':[{'request':'r/a'}]}}")))
        .isEqualTo(8);
    assertThat(AlternativeRank.of(view, tree("{'devices':{'results':[{'request':'r/b'}]}}")))
        .isEqualTo(7);
  }

  @Test
  void aSearchEnds() {
    List<String> devices = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      devices.add(device("g" + i, model("m" + i % 16)));
    }
    pool("p", devices.toArray(String[]::new));
    JsonObject claim =
        claim(
            "'requests':["
                + exactly("r", "'count':20")
                + "],'constraints':[{'distinctAttribute':'d.e/model'}]");
    assertThat(devices(claim)).isEqualTo("node n1: timed out trying to allocate devices");
  }
}
