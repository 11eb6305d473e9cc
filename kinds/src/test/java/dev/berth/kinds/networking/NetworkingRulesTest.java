package dev.berth.kinds.networking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.fixture.KindCheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with the kinds of networking.k8s.io, in Kubernetes' words. */
class NetworkingRulesTest {
  private static final String GROUP = "networking.k8s.io";

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          'defaultBackend':{'service':{'name':'s','port':{'number':80}}}|``
          'rules':[{'host':'*.a.b','http':{'paths':[{'path':'/','pathType':'Prefix','backend':{'service':{'name':'1s','port':{'name':'http'}}}}]}}]|``
          'ingressClassName':'c'|spec: Invalid value: null: either `defaultBackend` or `rules` must be specified
          'rules':[{'host':'1.2.3.4'}]|spec.rules[0].host: Invalid value: '1.2.3.4': must be a DNS name, not an IP address
          'rules':[{'http':{}}]|spec.rules[0].http.paths: Required value
          'rules':[{'http':{'paths':[{'path':'/'}]}}]|spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified
          'rules':[{'http':{'paths':[{'path':'a','pathType':'Exact','backend':{'service':{'name':'s','port':{'number':1}}}}]}}]|spec.rules[0].http.paths[0].path: Invalid value: 'a': must be an absolute path
          'rules':[{'http':{'paths':[{'path':'/a//b/..','pathType':'Prefix','backend':{'service':{'name':'s','port':{'number':1}}}}]}}]|[spec.rules[0].http.paths[0].path: Invalid value: '/a//b/..': must not contain '//', spec.rules[0].http.paths[0].path: Invalid value: '/a//b/..': cannot end with '/..']
          'rules':[{'http':{'paths':[{'pathType':'Any','backend':{'service':{'name':'s','port':{'number':1}}}}]}}]|spec.rules[0].http.paths[0].pathType: Unsupported value: 'Any': supported values: 'Exact', 'ImplementationSpecific', 'Prefix'
          'defaultBackend':{}|spec.defaultBackend: Invalid value: '': resource or service backend is required
          'defaultBackend':{'service':{'port':{'number':1,'name':'a'}}}|[spec.defaultBackend.service.name: Required value, spec.defaultBackend: Invalid value: '': cannot set both port name & port number]
          'defaultBackend':{'service':{'name':'s','port':{}}}|spec.defaultBackend: Required value: port name or number is required
          'defaultBackend':{'resource':{'kind':'K'},'service':{}}|spec.defaultBackend: Invalid value: '': cannot set both resource and service backends
          'defaultBackend':{'resource':{'apiGroup':'g','kind':'K'}}|spec.defaultBackend.resource.name: Required value
          """)
  void ingresses(String spec, String problem) {
    assertThat(KindCheck.of(GROUP, "v1", "ingresses").problem("'spec':{" + spec + "}"))
        .isEqualTo(problem);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          'podSelector':{},'ingress':[{'from':[{'podSelector':{}}],'ports':[{'port':80,'endPort':90}]}]|``
          'ingress':[{'from':[{}]}]|spec.ingress[0].from[0]: Required value: must specify a peer
          'ingress':[{'from':[{'podSelector':{},'ipBlock':{'cidr':'10.0.0.0/8'}}]}]|spec.ingress[0].from[0]: Forbidden: may not specify both ipBlock and another peer
          'egress':[{'to':[{'ipBlock':{'cidr':'10.0.0.0/8','except':['10.0.0.0/8','11.0.0.0/9']}}]}]|[spec.egress[0].to[0].ipBlock.except[0]: Invalid value: '10.0.0.0/8': must be a strict subset of `cidr`, spec.egress[0].to[0].ipBlock.except[1]: Invalid value: '11.0.0.0/9': must be a strict subset of `cidr`]
          'egress':[{'to':[{'ipBlock':{'cidr':'10.0.0.1/8'}}]}]|spec.egress[0].to[0].ipBlock.cidr: Invalid value: '10.0.0.1/8': must not have bits set beyond the prefix length
          'egress':[{'to':[{'ipBlock':{'cidr':'010.0.0.0/8'}}]}]|spec.egress[0].to[0].ipBlock.cidr: Invalid value: '010.0.0.0/8': must not have leading 0s in IP or prefix length
          'ingress':[{'ports':[{'port':80,'endPort':79,'protocol':'ICMP'}]}]|[spec.ingress[0].ports[0].protocol: Unsupported value: 'ICMP': supported values: 'TCP', 'UDP', 'SCTP', spec.ingress[0].ports[0].endPort: Invalid value: 80: must be greater than or equal to `port`]
          'ingress':[{'ports':[{'endPort':79}]}]|spec.ingress[0].ports[0].endPort: Invalid value: 79: may not be specified when `port` is not specified
          'policyTypes':['Ingress','Both']|spec.policyTypes[1]: Unsupported value: 'Both': supported values: 'Ingress', 'Egress'
          """)
  void networkPolicies(String spec, String problem) {
    assertThat(KindCheck.of(GROUP, "v1", "networkpolicies").problem("'spec':{" + spec + "}"))
        .isEqualTo(problem);
  }

  @Test
  void aNetworkPolicyIsForWhatItHasRulesOf() {
    KindCheck policies = KindCheck.of(GROUP, "v1", "networkpolicies");
    assertThat(policies.filled("'spec':{}").toString()).contains("\"policyTypes\":[\"Ingress\"]");
    assertThat(policies.filled("'spec':{'egress':[{'ports':[{'port':1}]}]}").toString())
        .contains("\"policyTypes\":[\"Ingress\",\"Egress\"]")
        .contains("\"protocol\":\"TCP\"");
  }

  @ParameterizedTest(name = "{1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          ingressclasses|'controller':'a.b/c','parameters':{'kind':'K','name':'n'}|``
          ingressclasses|``|spec.controller: Required value
          ingressclasses|'controller':'a'|spec.controller: Invalid value: 'a': must be a domain-prefixed path (such as 'acme.io/foo')
          ingressclasses|'controller':'a.b/c','parameters':{'kind':'K','name':'n','scope':'Namespace'}|spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'
          ingressclasses|'controller':'a.b/c','parameters':{'kind':'K','name':'n','namespace':'x'}|spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'
          ipaddresses|'parentRef':{'resource':'services','name':'s','namespace':'d'}|``
          ipaddresses|``|spec.parentRef: Required value
          ipaddresses|'parentRef':{'resource':'a/b'}|[spec.parentRef.resource: Invalid value: 'a/b': may not contain '/', spec.parentRef.name: Required value]
          servicecidrs|'cidrs':['10.0.0.0/24','fd00::/64']|``
          servicecidrs|``|spec.cidrs: Required value: at least one CIDR required
          servicecidrs|'cidrs':['10.0.0.0/24','10.0.1.0/24']|spec.cidrs: Invalid value: ['10.0.0.0/24','10.0.1.0/24']: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64
          servicecidrs|'cidrs':['a','b','c']|spec.cidrs: Invalid value: {'CIDRs':['a','b','c']}: may only hold up to 2 values
          servicecidrs|'cidrs':['FD00::/64']|spec.cidrs[0]: Invalid value: 'FD00::/64': must be in canonical form ('fd00::/64')
          """)
  void otherKinds(String plural, String spec, String problem) {
    assertThat(KindCheck.of(GROUP, "v1", plural).problem("'spec':{" + spec + "}"))
        .isEqualTo(problem);
  }

  @ParameterizedTest(name = "{0}: {1} to {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          servicecidrs|'cidrs':['10.0.0.0/24']|'cidrs':['10.0.0.0/24','fd00::/64']|``
          servicecidrs|'cidrs':['10.0.0.0/24']|'cidrs':['10.0.1.0/24']|spec.cidrs[0]: Invalid value: '10.0.1.0/24': field is immutable
          servicecidrs|'cidrs':['10.0.0.0/24','fd00::/64']|'cidrs':['10.0.0.0/24']|spec.cidrs: Invalid value: ['10.0.0.0/24']: field is immutable
          servicecidrs|'cidrs':['10.0.0.0/24']|'x':1|spec.cidrs: Invalid value: null: field is immutable
          ipaddresses|'parentRef':{'resource':'a','name':'b'}|'parentRef':{'resource':'c','name':'b'}|spec.parentRef: Invalid value: {'Group':'','Resource':'c','Namespace':'','Name':'b'}: field is immutable
          ingressclasses|'controller':'a.b/c'|'controller':'a.b/d'|spec.controller: Invalid value: 'a.b/d': field is immutable
          networkpolicies|'egress':[{'to':[{'ipBlock':{'cidr':'10.0.0.1/8'}}]}]|'ingress':[{'from':[{'ipBlock':{'cidr':'10.0.0.1/8'}}]}]|``
          """)
  void changes(String plural, String before, String after, String problem) {
    assertThat(
            KindCheck.of(GROUP, "v1", plural)
                .problemOfChange("'spec':{" + before + "}", "'spec':{" + after + "}"))
        .isEqualTo(problem);
  }

  @Test
  void anIngresssStatusHasAddressesOrNames() {
    assertThat(
            KindCheck.of(GROUP, "v1", "ingresses")
                .problemOfStatus(
                    "'spec':{}",
                    "'status':{'loadBalancer':{'ingress':[{'ip':'x'},{'hostname':'1.2.3.4'}]}}"))
        .isEqualTo(
            "[status.loadBalancer.ingress[0].ip: Invalid value: 'x': must be a valid IP address,"
                + " (e.g. 10.9.8.7 or 2001:db8::ffff), status.loadBalancer.ingress[1].hostname:"
                + " Invalid value: '1.2.3.4': must be a DNS name, not an IP address]");
  }
}
