package dev.berth.registry;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.Resource;
import dev.berth.registry.fixture.TestCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is wrong with services, volumes, roles, webhooks, limits and quotas, in Kubernetes' words.
 */
class ObjectRulesTest {
  private final TestCluster cluster = new TestCluster();

  private String problem(String group, String plural, String fields) {
    Resource resource = cluster.resource(group == null ? "" : group, plural);
    String object = "{'metadata':{'name':'x'},%s}".formatted(fields);
    return refused(() ->
            cluster.registry.create(
                resource,
                resource.isNamespaced() ? "default" : "",
                tree(object),
                WriteOptions.DEFAULT))
        .message()
        .replaceFirst("^.* is invalid: ", "")
        .replace('"', '\'');
  }

  @ParameterizedTest(name = "{1}: {3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "|services|'spec':{'type':'X','ports':[{'port':1}]}|spec.type: Unsupported value: 'X':"
            + " supported values: 'ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'",
        "|services|'spec':{'type':'ExternalName'}|spec.externalName: Required value",
        "|services|'spec':{'ports':[{'port':1,'name':'a'},{'port':2,'name':'a'}]}"
            + "|spec.ports[1].name: Duplicate value: 'a'",
        "|services|'spec':{'ports':[{'port':1,'nodePort':30000}]}|spec.ports[0].nodePort: Forbidden:"
            + " may not be used when `type` is 'ClusterIP'",
        "|services|'spec':{'type':'NodePort','clusterIP':'None','clusterIPs':['None'],'ports':[{'port':1}]}"
            + "|spec.clusterIPs[0]: Invalid value: 'None': may not be set to 'None' for NodePort"
            + " services",
        "|persistentvolumeclaims|'spec':{'accessModes':['X'],'resources':{'requests':{'storage':"
            + "'1'}}}|spec.accessModes: Unsupported value: 'X': supported values: 'ReadOnlyMany',"
            + " 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'",
        "|persistentvolumes|'spec':{'accessModes':['ReadWriteOnce'],'capacity':{'storage':'1'}}"
            + "|spec: Required value: must specify a volume type",
        "|persistentvolumes|'spec':{'accessModes':['ReadWriteOnce'],'capacity':{'storage':'1'},"
            + "'hostPath':{'path':'/'},'nfs':{'server':'s','path':'/'}}|spec.nfs: Forbidden: may not"
            + " specify more than 1 volume type",
        "rbac.authorization.k8s.io|roles|'rules':[{'apiGroups':[''],'resources':['pods']}]"
            + "|rules[0].verbs: Required value: verbs must contain at least one value",
        "rbac.authorization.k8s.io|roles|'rules':[{'verbs':['get'],'nonResourceURLs':['/x']}]"
            + "|rules[0].nonResourceURLs: Invalid value: ['/x']: namespaced rules cannot apply to"
            + " non-resource URLs",
        "rbac.authorization.k8s.io|clusterrolebindings|'roleRef':{'kind':'Role','name':'r'}"
            + "|roleRef.kind: Unsupported value: 'Role': supported values: 'ClusterRole'",
        "rbac.authorization.k8s.io|rolebindings|'roleRef':{'kind':'Role','name':'r'},"
            + "'subjects':[{'kind':'Robot','name':'r'}]|subjects[0].kind: Unsupported value:"
            + " 'Robot': supported values: 'ServiceAccount', 'User', 'Group'",
        "admissionregistration.k8s.io|validatingwebhookconfigurations|'webhooks':[{'name':'a.b',"
            + "'sideEffects':'None','admissionReviewVersions':['v1'],'clientConfig':{'url':"
            + "'https://x'}}]|webhooks[0].name: Invalid value: 'a.b': should be a domain with at"
            + " least three segments separated by dots",
        "admissionregistration.k8s.io|mutatingwebhookconfigurations|'webhooks':[{'name':'a.b.c',"
            + "'sideEffects':'None','admissionReviewVersions':['v1'],'clientConfig':{}}]"
            + "|webhooks[0].clientConfig: Required value: exactly one of url or service is required",
        "|limitranges|'spec':{'limits':[{'type':'Container','min':{'cpu':'2'},'max':{'cpu':'1'},"
            + "'default':{'cpu':'2'},'defaultRequest':{'cpu':'2'}}]}"
            + "|[spec.limits[0].min[cpu]: Invalid value: '2': min value 2 is greater than max value"
            + " 1, spec.limits[0].defaultRequest[cpu]: Invalid value: '2': default request value 2"
            + " is greater than max value 1, spec.limits[0].default[cpu]: Invalid value: '1':"
            + " default value 2 is greater than max value 1]",
        "|resourcequotas|'spec':{'hard':{'nonsense':'1'}}|[spec.hard[nonsense]: Invalid value:"
            + " 'nonsense': must be a standard resource type or fully qualified,"
            + " spec.hard[nonsense]: Invalid value: 'nonsense': must be a standard resource for"
            + " quota]",
        "|resourcequotas|'spec':{'hard':{'pods':'1500m'}}|spec.hard[pods]: Invalid value: '1500m':"
            + " must be an integer",
        "|resourcequotas|'spec':{'scopes':['BestEffort','NotBestEffort']}|spec.scopes: Invalid"
            + " value: ['BestEffort','NotBestEffort']: conflicting scopes",
        "certificates.k8s.io|certificatesigningrequests|'spec':{'request':'YQ==','usages':['any'],"
            + "'signerName':'example.com/x'}|spec.request: Invalid value: 'YQ==': PEM block type"
            + " must be CERTIFICATE REQUEST",
      })
  void anObjectThatMakesNoSenseIsRefused(
      String group, String plural, String fields, String problem) {
    assertThat(problem(group, plural, fields)).isEqualTo(problem);
  }

  @Test
  void aClaimGrowsButChangesInNothingElse() {
    cluster.create(
        "persistentvolumeclaims",
        "{'metadata':{'name':'d'},'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':"
            + "{'storage':'2Gi'}}}}");
    cluster.registry.modify(
        cluster.core("persistentvolumeclaims"),
        named("d"),
        new WriteOptions(false, "status", "", WriteOptions.DEFAULT.user()),
        claim -> claim.with("status", tree("{'phase':'Bound','capacity':{'storage':'2Gi'}}")));
    String spec =
        "{'accessModes':['%s'],'volumeMode':'Filesystem','resources':{'requests':{'storage':'%s'}}}";
    claim(spec.formatted("ReadWriteOnce", "3Gi"));
    assertThat(refused(() -> claim(spec.formatted("ReadWriteMany", "3Gi"))).message())
        .contains("spec is immutable after creation except resources.requests");
    assertThat(refused(() -> claim(spec.formatted("ReadWriteOnce", "1Gi"))).message())
        .contains("field can not be less than");
  }

  private void claim(String spec) {
    cluster.registry.modify(
        cluster.core("persistentvolumeclaims"),
        named("d"),
        WriteOptions.DEFAULT,
        claim -> claim.with("spec", tree(spec)));
  }
}
