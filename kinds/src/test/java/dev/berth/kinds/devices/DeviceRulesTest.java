package dev.berth.kinds.devices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.fixture.KindCheck;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with the kinds of resource.k8s.io, in Kubernetes' words. */
class DeviceRulesTest {
  private static final String GROUP = "resource.k8s.io";
  private static final String CLAIM =
      "'spec':{'devices':{'requests':[{'name':'r','exactly':{'deviceClassName':'c'}}]}}";
  private static final String DEVICE = "'driver':'d.e','pool':'p','device':'gpu'";

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          'requests':[{'name':'r','exactly':{'deviceClassName':'c'}}]|``
          'requests':[{'name':'r'}]|spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required
          'requests':[{'name':'r','exactly':{}}]|spec.devices.requests[0].exactly.deviceClassName: Required value
          'requests':[{'name':'r','exactly':{'deviceClassName':'c','allocationMode':'All','count':2}}]|spec.devices.requests[0].exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'
          'requests':[{'name':'r','exactly':{'deviceClassName':'c'}},{'name':'r','exactly':{'deviceClassName':'c'}}]|spec.devices.requests[1]: Duplicate value: 'r'
          'requests':[{'name':'r','exactly':{'deviceClassName':'c','tolerations':[{'operator':'In'}]}}]|spec.devices.requests[0].exactly.tolerations[0].operator: Unsupported value: 'In': supported values: 'Equal', 'Exists'
          'requests':[{'name':'r','firstAvailable':[{'name':'a','deviceClassName':'c'}]}],'constraints':[{'requests':['r/b'],'matchAttribute':'d.e/numa'}]|spec.devices.constraints[0].requests[0]: Invalid value: 'r/b': must be the name of a request in the claim or the name of a request and a subrequest separated by '/'
          'constraints':[{'matchAttribute':'numa'}]|spec.devices.constraints[0].matchAttribute: Invalid value: 'numa': a fully qualified name must be a domain and a name separated by a slash
          'config':[{}]|spec.devices.config[0].opaque: Required value
          """)
  void claims(String devices, String problem) {
    assertThat(
            KindCheck.of(GROUP, "v1", "resourceclaims")
                .problem("'spec':{'devices':{" + devices + "}}"))
        .isEqualTo(problem);
  }

  @Test
  void aRequestIsForOneDeviceUnlessItSaysMore() {
    assertThat(KindCheck.of(GROUP, "v1", "resourceclaims").filled(CLAIM).toString())
        .contains("\"allocationMode\":\"ExactCount\",\"count\":1");
    assertThat(
            KindCheck.of(GROUP, "v1", "resourceclaimtemplates")
                .filled("'spec':{" + CLAIM + "}")
                .toString())
        .contains("\"count\":1");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          'allocation':{'devices':{'results':[{'request':'r',DEVICE}]}},'reservedFor':[{'resource':'pods','name':'p','uid':'1'}]|``
          'reservedFor':[{'resource':'pods','name':'p','uid':'1'}]|status.reservedFor: Forbidden: may not be specified when `allocated` is not set
          'allocation':{'devices':{'results':[{'request':'x',DEVICE}]}}|status.allocation.devices.results[0].request: Invalid value: 'x': must be the name of a request in the claim or the name of a request and a subrequest separated by '/'
          'allocation':{'devices':{'results':[{'request':'r',DEVICE,'shareID':'x'}]}}|status.allocation.devices.results[0].shareID: Invalid value: 'x': error validating uid: invalid UUID length: 1
          'allocation':{'devices':{'results':[{'request':'r',DEVICE,'shareID':'0123456789ABCDEF0123456789ABCDEF'}]}}|status.allocation.devices.results[0].shareID: Invalid value: '0123456789ABCDEF0123456789ABCDEF': uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters
          'allocation':{'devices':{'results':[]}},'devices':[{DEVICE}]|status.devices[0]: Invalid value: {'Driver':'d.e','Pool':'p','Device':'gpu','ShareID':''}: must be an allocated device in the claim
          'reservedFor':[{}]|[status.reservedFor[0].resource: Required value, status.reservedFor[0].name: Required value, status.reservedFor[0].uid: Required value, status.reservedFor: Forbidden: may not be specified when `allocated` is not set]
          """)
  void statusesOfClaims(String status, String problem) {
    assertThat(
            KindCheck.of(GROUP, "v1", "resourceclaims")
                .problemOfStatus(CLAIM, "'status':{" + status.replace("DEVICE", DEVICE) + "}"))
        .isEqualTo(problem);
  }

  /** What is left out is compared, as in taints of nodes. */
  @Test
  void aTolerationIsOfEqualValuesUnlessItSaysMore() {
    String claim = CLAIM.replace("'c'", "'c','tolerations':[{'key':'k'}]");
    assertThat(KindCheck.of(GROUP, "v1", "resourceclaims").filled(claim).toString())
        .contains("{\"key\":\"k\",\"operator\":\"Equal\"}");
  }

  /** The claims that are made have names of their own. */
  @Test
  void aTemplatesMetadataAreLabelsAndAnnotations() {
    assertThat(
            KindCheck.of(GROUP, "v1", "resourceclaimtemplates")
                .problem(
                    "'spec':{'metadata':{'name':'n','uid':'u','labels':{'a':'-'}}," + CLAIM + "}"))
        .startsWith("[spec.metadata.labels: Invalid value: '-'")
        .endsWith(
            "spec.metadata.name: Forbidden: cannot be set,"
                + " spec.metadata.uID: Forbidden: cannot be set]");
  }

  /** Where a slice is may not change, and that is said before what is wrong with the new place. */
  @Test
  void aSliceStaysWhereItIs() {
    String slice = "'spec':{'driver':'d.e','pool':{'name':'p','resourceSliceCount':1},%s}";
    assertThat(
            KindCheck.of(GROUP, "v1", "resourceslices")
                .problemOfChange(slice.formatted("'nodeName':'n'"), slice.formatted("'x':1")))
        .isEqualTo(
            "[spec.nodeName: Invalid value: null: field is immutable, spec: Required value: exactly"
                + " one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is"
                + " required]");
  }

  /**
   * Attributes with several values are behind a gate that is off, unless they were there before.
   */
  @Test
  void listsOfAttributesAreLeftOut() {
    ResourceSliceRules rules = new ResourceSliceRules();
    JsonObject slice =
        KindCheck.of(GROUP, "v1", "resourceslices")
            .filled("'spec':{'devices':[{'name':'gpu','attributes':{'a':{'ints':[1],'int':1}}}]}");
    assertThat(rules.prepareForCreate(slice, Instant.EPOCH).toString())
        .contains("{\"a\":{\"int\":1}}");
    assertThat(rules.prepareForUpdate(slice, slice, Instant.EPOCH)).isEqualTo(slice);
  }

  @Test
  void whatIsAskedForNeverChanges() {
    String other = CLAIM.replace("'c'", "'d'");
    assertThat(KindCheck.of(GROUP, "v1", "resourceclaims").problemOfChange(CLAIM, other))
        .startsWith("spec: Invalid value: {'Devices':{'Requests':[{'Name':")
        .endsWith("field is immutable");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          'nodeName':'n','devices':[{'name':'gpu','attributes':{'model':{'string':'m'},'v':{'version':'1.2.3-a+b'}},'capacity':{'memory':{'value':'1Gi'}}}]|``
          'devices':[]|spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required
          'nodeName':'n','allNodes':true|spec: Invalid value: '{`nodeName`, `allNodes`}': exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required, but multiple fields are set
          'allNodes':true,'devices':[{'name':'gpu','attributes':{'model':{}}}]|spec.devices[0].attributes[model]: Invalid value: '': exactly one value must be specified
          'allNodes':true,'devices':[{'name':'gpu','attributes':{'a':{'int':1,'string':'s'}}}]|spec.devices[0].attributes[a]: Invalid value: {'IntValue':1,'BoolValue':null,'StringValue':'s','VersionValue':null,'IntValues':null,'BoolValues':null,'StringValues':null,'VersionValues':null}: exactly one value must be specified
          'allNodes':true,'devices':[{'name':'gpu','attributes':{'v':{'version':'1'}}}]|spec.devices[0].attributes[v].version: Invalid value: '1': must be a string compatible with semver.org spec 2.0.0
          'allNodes':true,'devices':[{'name':'gpu','nodeName':'n'}]|spec.devices[0]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec
          'perDeviceNodeSelection':true,'devices':[{'name':'gpu'}]|spec.devices[0]: Required value: exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec
          'allNodes':true,'devices':[{'name':'gpu','taints':[{'key':'k','effect':'Run'}]}]|spec.devices[0].taints[0].effect: Unsupported value: 'Run': supported values: 'NoExecute', 'NoSchedule', 'None'
          'allNodes':true,'sharedCounters':[{'name':'s'}]|spec.sharedCounters[0].counters: Required value
          'allNodes':true,'devices':[{'name':'gpu','bindingConditions':['a']}]|spec.devices[0].bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions
          'allNodes':true,'devices':[{'name':'gpu','allowMultipleAllocations':true,'capacity':{'m':{'value':'10','requestPolicy':{'default':'3','validRange':{'min':'2','step':'2'}}}}}]|spec.devices[0].capacity[m].requestPolicy.validRange.step: Invalid value: '3': value is not a multiple of a given step (2) from (2)
          'allNodes':true,'devices':[{'name':'gpu','allowMultipleAllocations':true,'capacity':{'m':{'value':'10','requestPolicy':{'default':null,'validRange':{'min':'2'}}}}}]|spec.devices[0].capacity[m].requestPolicy.default: Required value: required when validRange is defined
          'allNodes':true,'devices':[{'name':'gpu','capacity':{'m':{'value':'10','requestPolicy':{}}}}]|spec.devices[0].capacity[m].requestPolicy: Forbidden: allowMultipleAllocations must be true
          """)
  void slices(String spec, String problem) {
    assertThat(
            KindCheck.of(GROUP, "v1", "resourceslices")
                .problem(
                    "'spec':{'driver':'d.e','pool':{'name':'p','resourceSliceCount':1},"
                        + spec
                        + "}"))
        .isEqualTo(problem);
  }

  @Test
  void aDeviceClassNamesAnExtendedResource() {
    KindCheck classes = KindCheck.of(GROUP, "v1", "deviceclasses");
    assertThat(classes.problem("'spec':{'extendedResourceName':'a.b/gpu','selectors':[{}]}"))
        .isEqualTo("spec.selectors[0].cel: Required value");
    assertThat(
            classes.problem(
                "'spec':{'selectors':[{'cel':{'expression':'device.allowMultipleAllocations'}}]}"))
        .isEmpty();
    assertThat(classes.problem("'spec':{'selectors':[{'cel':{'expression':'device.driver'}}]}"))
        .isEqualTo(
            "spec.selectors[0].cel.expression: Invalid value: 'device.driver':"
                + " must evaluate to bool or the unknown type, not string");
    String all = "device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, ";
    assertThat(
            classes.problem(
                "'spec':{'selectors':[{'cel':{'expression':'" + all + all + "true))))))'}}]}"))
        .isEqualTo("spec.selectors[0].cel.expression: Forbidden: too complex, exceeds cost limit");
    assertThat(classes.problem("'spec':{'extendedResourceName':'cpu'}"))
        .isEqualTo(
            "spec.extendedResourceName: Invalid value: 'cpu': must be a valid extended resource"
                + " name");
  }
}
