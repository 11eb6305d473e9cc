package dev.berth.kinds.core;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.BuiltIns;
import dev.berth.kinds.fixture.KindCheck;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with services, volumes, endpoints, nodes and secrets, in Kubernetes' words. */
class CoreRulesTest {
  private static final String PORT = "'ports':[{'port':80}]";

  private static KindCheck core(String plural) {
    return KindCheck.of("", "v1", plural);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          PORT|``
          'ports':[{'port':80,'targetPort':0,'protocol':''}]|``
          PORT,'clusterIP':'10.0.0.1','clusterIPs':['10.0.0.2']|spec.clusterIPs: Invalid value: ['10.0.0.2']: first value must match `clusterIP`
          PORT,'clusterIPs':['10.0.0.2']|spec.clusterIPs: Invalid value: ['10.0.0.2']: must be empty when `clusterIP` is not specified
          PORT,'clusterIP':'10.0.0.1','clusterIPs':['10.0.0.1','10.0.0.2']|spec.clusterIPs: Invalid value: ['10.0.0.1','10.0.0.2']: may specify no more than one IP for each IP family
          PORT,'clusterIP':'fd00::1','clusterIPs':['fd00::1'],'ipFamilies':['IPv4']|spec.clusterIPs[0]: Invalid value: 'fd00::1': expected an IPv4 value as indicated by `ipFamilies[0]`
          PORT,'ipFamilies':['IPv4','IPv4','IPv5']|[spec.ipFamilies[1]: Duplicate value: 'IPv4', spec.ipFamilies[2]: Unsupported value: 'IPv5': supported values: 'IPv4', 'IPv6']
          PORT,'ipFamilyPolicy':'Both'|spec.ipFamilyPolicy: Unsupported value: 'Both': supported values: 'PreferDualStack', 'RequireDualStack', 'SingleStack'
          PORT,'sessionAffinity':'ClientIP','sessionAffinityConfig':{'clientIP':{'timeoutSeconds':86401}}|spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400
          PORT,'externalIPs':['127.0.0.1','x']|[spec.externalIPs[0]: Invalid value: '127.0.0.1': may not be in the loopback range (127.0.0.0/8, ::1/128), spec.externalIPs[1]: Invalid value: 'x': must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)]
          PORT,'loadBalancerSourceRanges':[' 10.0.0.0/8 ','x']|[spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer', spec.LoadBalancerSourceRanges[1]: Invalid value: 'x': must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)]
          PORT,'externalTrafficPolicy':'Local'|spec.externalTrafficPolicy: Invalid value: 'Local': may only be set for externally-accessible services
          PORT,'healthCheckNodePort':30000|spec.healthCheckNodePort: Invalid value: 30000: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'
          PORT,'loadBalancerClass':'a/b'|spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'
          PORT,'trafficDistribution':'Far'|spec.trafficDistribution: Unsupported value: 'Far': supported values: 'PreferClose', 'PreferSameZone', 'PreferSameNode'
          'type':'ExternalName','externalName':'a.b.','clusterIPs':['10.0.0.1'],'ipFamilyPolicy':'SingleStack'|[spec.clusterIPs: Forbidden: may not be set for ExternalName services, spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services]
          'type':'NodePort','ports':[{'name':'a','port':1,'nodePort':30000},{'name':'b','port':2,'nodePort':30000},{'name':'c','port':2,'protocol':'UDP','nodePort':30000}]|spec.ports[1].nodePort: Duplicate value: 30000
          """)
  void services(String spec, String problem) {
    assertThat(core("services").problem("'spec':{" + spec.replace("PORT", PORT) + "}"))
        .isEqualTo(problem);
  }

  @ParameterizedTest(name = "{0} to {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          'clusterIP':'10.0.0.1','clusterIPs':['10.0.0.1']|'clusterIP':'10.0.0.2','clusterIPs':['10.0.0.2']|spec.clusterIPs[0]: Invalid value: ['10.0.0.2']: may not change once set
          'clusterIP':'10.0.0.1','clusterIPs':['10.0.0.1','fd00::1']|'clusterIP':'10.0.0.1','clusterIPs':['10.0.0.1']|spec.ipFamilyPolicy: Invalid value: null: must be set to 'SingleStack' when releasing the secondary clusterIP
          'clusterIP':'10.0.0.1','clusterIPs':['10.0.0.1'],'ipFamilies':['IPv4']|'type':'ExternalName','externalName':'a','clusterIP':'10.0.0.1','clusterIPs':['10.0.0.1'],'ipFamilies':['IPv4']|``
          'clusterIP':'10.0.0.1','clusterIPs':['10.0.0.1'],'ipFamilies':['IPv4']|'type':'ExternalName','externalName':'a','clusterIP':'10.0.0.1'|``
          'clusterIP':'10.0.0.1','clusterIPs':['10.0.0.1'],'ipFamilies':['IPv4']|'type':'ExternalName','externalName':'a','clusterIPs':['10.0.0.1']|``
          'clusterIP':'10.0.0.1','clusterIPs':['10.0.0.1'],'ipFamilies':['IPv4']|'type':'ExternalName','externalName':'a','clusterIP':'10.0.0.2','clusterIPs':['10.0.0.1']|spec.clusterIPs: Forbidden: may not be set for ExternalName services
          'type':'NodePort'|'type':'ClusterIP','externalTrafficPolicy':'Cluster'|``
          'type':'LoadBalancer','loadBalancerClass':'a/b'|'type':'LoadBalancer'|spec.loadBalancerClass: Invalid value: null: may not change once set
          """)
  void changesOfServices(String before, String after, String problem) {
    String spec = "'spec':{" + PORT + ",%s}";
    assertThat(core("services").problemOfChange(spec.formatted(before), spec.formatted(after)))
        .isEqualTo(problem);
  }

  @Test
  void aServicesPortsAreFilledInThoughClientsWriteThemEmpty() {
    assertThat(
            core("services")
                .filled("'spec':{'ports':[{'port':80,'targetPort':0,'protocol':''}]}")
                .toString())
        .contains("\"port\":80,\"targetPort\":80,\"protocol\":\"TCP\"");
  }

  @ParameterizedTest(name = "{0}: {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          endpoints|'subsets':[{'addresses':[{'ip':'10.0.0.1'}],'ports':[{'port':80}]}]|``
          endpoints|'subsets':[{'ports':[{'port':80},{'port':0,'name':'a'}]}]|[subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`, subsets[0].ports[0].name: Required value, subsets[0].ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive]
          endpoints|'subsets':[{'addresses':[{'ip':'169.254.1.1'}]}]|subsets[0].addresses[0].ip: Invalid value: '169.254.1.1': may not be in the link-local range (169.254.0.0/16, fe80::/10)
          secrets|'type':'kubernetes.io/tls','data':{'tls.crt':''}|data[tls.key]: Required value
          secrets|'type':'kubernetes.io/basic-auth'|[data[username]: Required value, data[password]: Required value]
          secrets|'type':'kubernetes.io/service-account-token'|metadata.annotations[kubernetes.io/service-account.name]: Required value
          namespaces|'spec':{'finalizers':['a.b/c','kubernetes']}|``
          namespaces|'spec':{'finalizers':['a']}|spec.finalizers: Invalid value: 'a': name is neither a standard finalizer name nor is it fully qualified
          nodes|'status':{'capacity':{'cpu':'-1','pods':'1500m'}}|[status.capacity.cpu: Invalid value: '-1': must be greater than or equal to 0, status.capacity.pods: Invalid value: '1500m': must be an integer, status.allocatable.cpu: Invalid value: '-1': must be greater than or equal to 0, status.allocatable.pods: Invalid value: '1500m': must be an integer]
          nodes|'spec':{'podCIDRs':['10.0.0.1/8']}|spec.podCIDRs[0]: Invalid value: '10.0.0.1/8': must not have bits set beyond the prefix length
          persistentvolumes|'spec':{'accessModes':['ReadWriteOnce'],'capacity':{'storage':'1','cpu':'1'},'local':{'path':'/a/../b'}}|[spec.capacity: Unsupported value: {'cpu':'1','storage':'1'}: supported values: 'storage', spec.local.path: Invalid value: '/a/../b': must not contain '..', spec.nodeAffinity: Required value: Local volume requires node affinity]
          persistentvolumes|'spec':{'accessModes':['ReadWriteOnce'],'capacity':{'storage':'1'},'csi':{'driver':'d','nodePublishSecretRef':{'name':'s'}}}|[spec.csi.volumeHandle: Required value, spec.csi.nodePublishSecretRef.namespace: Required value]
          persistentvolumes|'spec':{'accessModes':['ReadWriteOnce'],'capacity':{'storage':'1'},'hostPath':{'path':'/'},'persistentVolumeReclaimPolicy':'Recycle'}|spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'
          persistentvolumeclaims|'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1'}},'dataSourceRef':{'kind':'Pod','name':'p'}}|[spec.dataSource: Invalid value: 'Pod': must be 'PersistentVolumeClaim' when referencing the default apiGroup, spec.dataSourceRef: Invalid value: 'Pod': must be 'PersistentVolumeClaim' when referencing the default apiGroup]
          """)
  void otherKinds(String plural, String fields, String problem) {
    assertThat(core(plural).problem(fields)).isEqualTo(problem);
  }

  @ParameterizedTest(name = "{1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          discovery.k8s.io|endpointslices|'addressType':'IPv4','endpoints':[{'addresses':['10.0.0.1']}],'ports':[{'port':80}]|``
          discovery.k8s.io|endpointslices|'addressType':'IPv6','endpoints':[{'addresses':['10.0.0.1']},{}]|[endpoints[0].addresses: Invalid value: '10.0.0.1': must be an IPv6 address, endpoints[1].addresses: Required value: must contain at least 1 address]
          discovery.k8s.io|endpointslices|'ports':[{'port':1},{'port':2}]|[addressType: Required value, ports[1].name: Duplicate value: '']
          discovery.k8s.io|endpointslices|'addressType':'FQDN','endpoints':[{'addresses':['a'],'hints':{'forZones':[{'name':'z'},{'name':'z'}]}}]|[endpoints[0].addresses[0]: Invalid value: 'a': should be a domain with at least two segments separated by dots, endpoints[0].hints.forZones[1].name: Duplicate value: 'z']
          node.k8s.io|runtimeclasses|'handler':'runc'|``
          node.k8s.io|runtimeclasses|'handler':'Runc','overhead':{'podFixed':{'cpu':'-1'}}|[handler: Invalid value: 'Runc': a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?'), overhead.limits[cpu]: Invalid value: '-1': must be greater than or equal to 0]
          """)
  void otherGroups(String group, String plural, String fields, String problem) {
    assertThat(KindCheck.of(group, "v1", plural).problem(fields)).isEqualTo(problem);
  }

  @Test
  void anOlderTopologyIsDropped() {
    String slice = "'addressType':'IPv4','endpoints':[{'addresses':['10.0.0.1'],%s}]";
    String topology = "'deprecatedTopology':{'kubernetes.io/hostname':'n'}";
    ResourceRules rules =
        BuiltIns.catalog().get("discovery.k8s.io", "v1", "endpointslices").rules();
    KindCheck slices = KindCheck.of("discovery.k8s.io", "v1", "endpointslices");
    assertThat(slices.filled(slice.formatted(topology)).toString()).doesNotContain("Topology");

    JsonObject old = tree("{" + slice.formatted(topology) + "}");
    assertThat(rules.prepareForUpdate(old, old, Instant.EPOCH)).isEqualTo(old);
    JsonObject changed = tree("{" + slice.formatted(topology + ",'zone':'z'") + "}");
    assertThat(rules.prepareForUpdate(changed, old, Instant.EPOCH).toString())
        .doesNotContain("Topology")
        .contains("\"nodeName\":\"n\"");
  }

  /** All of a class is looked at again when it is changed, not only the handler. */
  @Test
  void aRuntimeClassIsCheckedWhenItIsChanged() {
    assertThat(
            KindCheck.of("node.k8s.io", "v1", "runtimeclasses")
                .problemOfChange(
                    "'handler':'h'",
                    "'handler':'h','scheduling':{'tolerations':[{'operator':'NotIn','key':'a'}]}"))
        .isEqualTo(
            "scheduling.tolerations[0].operator: Unsupported value: 'NotIn': supported values:"
                + " 'Equal', 'Exists'");
  }

  @Test
  void aBudgetsStatusHasWellFormedConditions() {
    assertThat(
            KindCheck.of("policy", "v1", "poddisruptionbudgets")
                .problemOfStatus(
                    "'spec':{}",
                    "'status':{'currentHealthy':-1,'conditions':[{'type':'A','status':'Maybe'}]}"))
        .isEqualTo(
            "[status.conditions[0].status: Unsupported value: 'Maybe': supported values: 'False',"
                + " 'True', 'Unknown', status.conditions[0].lastTransitionTime: Required value,"
                + " status.conditions[0].reason: Required value, status.currentHealthy: Invalid"
                + " value: -1: must be greater than or equal to 0]");
  }
}
