package dev.berth.kinds;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.yaml.YamlReader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What writers are told, in upstream's words: {@code pkg/api/*}{@code /warnings.go}. */
class ObjectWarningsTest {

  private static JsonObject object(String yaml) {
    return (JsonObject) YamlReader.value(yaml.getBytes(UTF_8), JsonLimits.REQUEST, _ -> {});
  }

  private static Resource resource(JsonObject object) {
    GroupVersionKind kind = GroupVersionKind.of(object);
    return BuiltIns.catalog().versions().stream()
        .flatMap(version -> BuiltIns.catalog().resources(version).stream())
        .filter(resource -> resource.kind().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> onCreate(String yaml) {
    JsonObject object = object(yaml);
    Resource resource = resource(object);
    List<String> all = new ArrayList<>(resource.warnings().beforePreparation(object));
    all.addAll(resource.warnings().onCreate(object));
    return all;
  }

  record Row(String name, String yaml, List<String> warnings) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Row row(String name, String yaml, String... warnings) {
    return new Row(name, yaml, List.of(warnings));
  }

  private static Row pod(String name, String more, String... warnings) {
    return row(
        name, "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n" + more.indent(2), warnings);
  }

  private static final String ONE = "containers: [{name: a, image: i}]\n";

  static Stream<Row> pods() {
    return Stream.of(
        pod("a plain one", ONE),
        row(
            "a name with a dot",
            "{apiVersion: v1, kind: Pod, metadata: {name: a.b}, spec: {}}",
            "metadata.name: this is used in the Pod's hostname, which can result in surprising"
                + " behavior; a DNS label is recommended: [must not contain dots]"),
        pod(
            "deprecated node labels",
            ONE
                + """
                nodeSelector: {beta.kubernetes.io/arch: amd64}
                affinity:
                  nodeAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                      nodeSelectorTerms: [{matchExpressions: [{key: beta.kubernetes.io/os, operator: Exists}]}]
                    preferredDuringSchedulingIgnoredDuringExecution:
                    - {weight: 1, preference: {matchExpressions: [{key: a, operator: In, values: [a]}]}}
                topologySpreadConstraints:
                - {topologyKey: failure-domain.beta.kubernetes.io/zone, maxSkew: 1}
                """,
            "spec.nodeSelector[beta.kubernetes.io/arch]: deprecated since v1.14; use"
                + " \"kubernetes.io/arch\" instead",
            "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key:"
                + " beta.kubernetes.io/os is deprecated since v1.14; use \"kubernetes.io/os\""
                + " instead",
            "spec.topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone"
                + " is deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead",
            "spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in"
                + " matching no pod"),
        row(
            "annotations in whose place there are fields",
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: p
              annotations:
                scheduler.alpha.kubernetes.io/critical-pod: ""
                seccomp.security.alpha.kubernetes.io/pod: unconfined
                container.seccomp.security.alpha.kubernetes.io/a: unconfined
                container.apparmor.security.beta.kubernetes.io/a: unconfined
            spec: {containers: [{name: a}]}
            """,
            "metadata.annotations[container.apparmor.security.beta.kubernetes.io/a]: deprecated since"
                + " v1.30; use the \"appArmorProfile\" field instead",
            "metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in"
                + " v1.16+; use the \"priorityClassName\" field instead",
            "metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in"
                + " v1.27+; use the \"seccompProfile\" field instead",
            "metadata.annotations[container.seccomp.security.alpha.kubernetes.io/a]: non-functional"
                + " in v1.27+; use the \"seccompProfile\" field instead"),
        pod(
            "volumes that are gone",
            ONE
                + """
                volumes:
                - {name: a, gitRepo: {repository: r}}
                - {name: b, storageos: {}}
                - {name: c, rbd: {image: i}}
                - {name: d, ephemeral: {volumeClaimTemplate: {spec: {resources: {requests: {storage: 500m}}}}}}
                """,
            "spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+",
            "spec.volumes[1].storageOS: deprecated in v1.22, non-functional in v1.25+",
            "spec.volumes[2].rbd: deprecated in v1.28, non-functional in v1.31+",
            "spec.volumes[3].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]:"
                + " fractional byte value \"500m\" is invalid, must be an integer"),
        pod(
            "files in each other's way",
            ONE
                + """
                volumes:
                - name: v
                  configMap: {name: c, items: [{key: a, path: x}, {key: b, path: x/y}, {key: c, path: z}]}
                - name: w
                  projected:
                    sources:
                    - {}
                    - {secret: {name: s, items: [{key: a, path: token/}]}}
                    - {serviceAccountToken: {path: token}}
                """,
            "volume \"v\" (ConfigMap \"c\"): overlapping paths: \"x/y\" with \"x\"",
            "volume \"w\" (Projected) has no sources provided",
            "volume \"w\" (Projected): overlapping paths: \"token\" (ServiceAccountToken) with"
                + " \"token\" (Secret \"s\")"),
        pod(
            "the same twice",
            ONE
                + """
                hostAliases: [{ip: 1.1.1.1}, {ip: 1.1.1.1}]
                imagePullSecrets: [{name: s}, {name: s}, {}]
                """,
            "spec.hostAliases[1].ip: duplicate ip \"1.1.1.1\"",
            "spec.imagePullSecrets[1].name: duplicate name \"s\"",
            "spec.imagePullSecrets[2].name: invalid empty name \"\""),
        pod(
            "parts of a byte",
            """
            overhead: {memory: 100m}
            containers: [{name: a, resources: {limits: {memory: 1.5}, requests: {ephemeral-storage: 1k}}}]
            """,
            "spec.overhead[memory]: fractional byte value \"100m\" is invalid, must be an integer",
            "spec.containers[0].resources.limits[memory]: fractional byte value \"1500m\" is invalid,"
                + " must be an integer"),
        pod(
            "variables that hide others",
            """
            containers:
            - name: a
              env:
              - {name: A, value: a}
              - {name: A, value: $(A)b}
              - {name: A, value: $(A)}
              - {name: B, value: b}
              - {name: B, value: c}
            """,
            "spec.containers[0].env[2]: hides previous definition of \"A\", which may be dropped when"
                + " using apply",
            "spec.containers[0].env[4]: hides previous definition of \"B\", which may be dropped when"
                + " using apply"),
        pod(
            "ports that meet",
            """
            initContainers: [{name: i, ports: [{containerPort: 80, protocol: TCP, name: web}]}]
            containers:
            - name: a
              ports:
              - {containerPort: 80, protocol: TCP, name: web}
              - {containerPort: 81, protocol: TCP, hostIP: 1.2.3.4}
              - {containerPort: 82, protocol: TCP, hostPort: 82}
              - {containerPort: 82, protocol: TCP, hostPort: 82, hostIP: 1.2.3.4}
              - {containerPort: 80, protocol: TCP, hostPort: 8080}
              - {containerPort: 80, protocol: UDP}
            """,
            "spec.containers[0].ports[0]: duplicate port definition with"
                + " spec.initContainers[0].ports[0]",
            "spec.containers[0].ports[1]: hostIP set without hostPort: {Name: HostPort:0"
                + " ContainerPort:81 Protocol:TCP HostIP:1.2.3.4}",
            "spec.containers[0].ports[3]: dangerously ambiguous port definition with"
                + " spec.containers[0].ports[2]",
            "spec.containers[0].ports[4]: overlapping port definition with"
                + " spec.initContainers[0].ports[0]",
            "spec.containers[0].ports[4]: overlapping port definition with"
                + " spec.containers[0].ports[0]",
            "spec.containers[0].ports[0]: duplicate port name \"web\" with"
                + " spec.initContainers[0].ports[0], services and probes that select ports by name"
                + " will use spec.initContainers[0].ports[0]"),
        pod(
            "times, terms and addresses",
            ONE
                + """
                terminationGracePeriodSeconds: -1
                affinity:
                  podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: a}]}
                  podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {topologyKey: a}}]}
                dnsConfig: {nameservers: ["2001:DB8::1"]}
                hostAliases: [{ip: "::ffff:1.2.3.4"}]
                """,
            "spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will"
                + " be treated as 1",
            "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector:"
                + " a null labelSelector results in matching no pod",
            "spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.labelSelector:"
                + " a null labelSelector results in matching no pod",
            "spec.dnsConfig.nameservers[0]: IPv6 address \"2001:DB8::1\" should be in RFC 5952"
                + " canonical format (\"2001:db8::1\")",
            "spec.hostAliases[0].ip: non-standard IP address \"::ffff:1.2.3.4\" is invalid: use"
                + " \"1.2.3.4\""));
  }

  private static final String DNS_LABEL =
      "metadata.name: this is used in Pod names and hostnames, which can result in surprising"
          + " behavior; a DNS label is recommended: [must not contain dots]";

  private static final String NEGATIVE_TEMPLATE = "{spec: {terminationGracePeriodSeconds: -1}}";

  private static String negative(String at) {
    return at
        + ".spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will"
        + " be treated as 1";
  }

  private static Row of(String apiVersion, String kind, String more, String... warnings) {
    String yaml = more.contains("metadata:") ? more : "metadata: {name: a.b}\n" + more;
    return row(kind, "apiVersion: %s\nkind: %s\n%s\n".formatted(apiVersion, kind, yaml), warnings);
  }

  static Stream<Row> others() {
    String template = "spec: {template: " + NEGATIVE_TEMPLATE + "}";
    return Stream.of(
        of("apps/v1", "Deployment", template, DNS_LABEL, negative("spec.template")),
        of("apps/v1", "ReplicaSet", template, DNS_LABEL, negative("spec.template")),
        of("v1", "ReplicationController", template, DNS_LABEL, negative("spec.template")),
        of("apps/v1", "DaemonSet", template, negative("spec.template")),
        of("v1", "PodTemplate", "template: " + NEGATIVE_TEMPLATE, negative("template")),
        of(
            "apps/v1",
            "StatefulSet",
            "spec: {revisionHistoryLimit: -1, volumeClaimTemplates: [{spec: {resources: {limits:"
                + " {storage: 1m}}}}]}",
            "spec.volumeClaimTemplates[0].resources.limits[storage]: fractional byte value \"1m\" is"
                + " invalid, must be an integer",
            "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value"
                + " >= 0 is recommended"),
        of(
            "batch/v1",
            "Job",
            "spec: {completionMode: Indexed, completions: 100001, parallelism: 10001, template: "
                + NEGATIVE_TEMPLATE
                + "}",
            DNS_LABEL,
            "spec: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism"
                + " higher than 10^4, Kubernetes might not be able to track completedIndexes when a"
                + " big number of indexes fail",
            negative("spec.template")),
        of(
            "batch/v1",
            "CronJob",
            "spec: {jobTemplate: {spec: {template: " + NEGATIVE_TEMPLATE + "}}}",
            DNS_LABEL,
            negative("spec.jobTemplate.spec.template")),
        of(
            "v1",
            "Service",
            "spec: {type: ClusterIP, clusterIP: None, externalIPs: [1.2.3.4], loadBalancerIP:"
                + " 1.2.3.4, sessionAffinity: ClientIP, externalName: x, trafficDistribution:"
                + " PreferClose, loadBalancerSourceRanges: [10.1.2.3/8]}",
            "spec.loadBalancerIP is ignored for headless services",
            "spec.externalIPs is ignored for headless services",
            "spec.SessionAffinity is ignored for headless services",
            "spec.loadBalancerSourceRanges[0]: CIDR value \"10.1.2.3/8\" is ambiguous in this context"
                + " (should be \"10.0.0.0/8\" or \"10.1.2.3/32\"?)",
            "spec.externalName is ignored when spec.type is not \"ExternalName\"",
            "spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\""),
        of(
            "v1",
            "PersistentVolume",
            """
            metadata: {name: a, annotations: {volume.beta.kubernetes.io/mount-options: x}}
            spec:
              persistentVolumeReclaimPolicy: Recycle
              glusterfs: {}
              nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: node-role.kubernetes.io/master}]}]}}
            """,
            "metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31;"
                + " use \"mountOptions\" attribute instead",
            "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead,"
                + " the recommended approach is to use dynamic provisioning.",
            "spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key:"
                + " node-role.kubernetes.io/master is use \"node-role.kubernetes.io/control-plane\""
                + " instead",
            "spec.glusterfs: deprecated in v1.25, non-functional in v1.26+"),
        of(
            "v1",
            "PersistentVolumeClaim",
            "metadata: {name: a, annotations: {volume.beta.kubernetes.io/storage-class: x}}",
            "metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8;"
                + " use \"storageClassName\" attribute instead"),
        of(
            "v1",
            "Node",
            "spec: {configSource: {}, externalID: x, podCIDRs: ['fd00:0::/64']}",
            "spec.configSource: the feature is removed",
            "spec.externalID: this field is deprecated, and is unused by Kubernetes",
            "spec.podCIDRs[0]: IPv6 CIDR value \"fd00:0::/64\" should be in RFC 5952 canonical format"
                + " (\"fd00::/64\")"),
        of(
            "v1",
            "ResourceQuota",
            "spec: {hard: {cpu: '2', limits.cpu: '1', requests.memory: 1Gi, limits.memory: 1Gi}}",
            "ResourceQuota cpu (2) should be less than limits.cpu (1)"),
        of(
            "v1",
            "ServiceAccount",
            "metadata: {name: a, annotations: {kubernetes.io/enforce-mountable-secrets: 'true'}}",
            "metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+;"
                + " prefer separate namespaces to isolate access to mounted secrets"),
        of(
            "v1",
            "Secret",
            "type: kubernetes.io/tls\ndata: {tls.crt: '', tls.key: ''}",
            "tls: failed to find any PEM data in certificate input"),
        of(
            "networking.k8s.io/v1",
            "Ingress",
            "metadata: {name: a, annotations: {kubernetes.io/ingress.class: x}}",
            "annotation \"kubernetes.io/ingress.class\" is deprecated, please use"
                + " 'spec.ingressClassName' instead"),
        of(
            "networking.k8s.io/v1",
            "NetworkPolicy",
            "spec: {egress: [{to: [{ipBlock: {cidr: 010.0.0.0/8, except: [10.1.0.0/16]}}]}]}",
            "spec.egress[0].to[0].ipBlock.cidr: non-standard CIDR value \"010.0.0.0/8\" is invalid:"
                + " use \"10.0.0.0/8\""),
        of(
            "discovery.k8s.io/v1",
            "EndpointSlice",
            "addressType: FQDN\nendpoints: [{addresses: ['010.0.0.1']}]",
            "spec.addressType: FQDN endpoints are deprecated",
            "endpoints[0].addresses[0]: non-standard IP address \"010.0.0.1\" is invalid: use"
                + " \"10.0.0.1\""),
        of(
            "v1",
            "Endpoints",
            "subsets: [{notReadyAddresses: [{ip: 'fd00:0::1'}]}]",
            "subsets[0].notReadyAddresses[0].ip: IPv6 address \"fd00:0::1\" should be in RFC 5952"
                + " canonical format (\"fd00::1\")"),
        of(
            "node.k8s.io/v1",
            "RuntimeClass",
            "scheduling: {nodeSelector: {beta.kubernetes.io/os: linux}}",
            "scheduling.nodeSelector: deprecated since v1.14; use \"kubernetes.io/os\" instead"),
        of(
            "storage.k8s.io/v1",
            "StorageClass",
            "allowedTopologies: [{matchLabelExpressions: [{key: beta.kubernetes.io/os, values: [a]}]}]",
            "allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.14; use"
                + " \"kubernetes.io/os\" instead"),
        of(
            "storage.k8s.io/v1",
            "CSIDriver",
            "spec: {tokenRequests: [{audience: a}]}",
            "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true"
                + " to prevent possible logging of tokens in volume attributes"),
        of(
            "resource.k8s.io/v1",
            "ResourceSlice",
            "spec: {driver: Gpu.example.com}",
            "spec.driver: driver names should be lowercase; \"Gpu.example.com\" contains uppercase"
                + " characters"),
        of(
            "admissionregistration.k8s.io/v1",
            "ValidatingWebhookConfiguration",
            "metadata: {name: a.static.k8s.io}",
            "metadata.name: names ending with \".static.k8s.io\" are reserved for static"
                + " manifest-based configurations and cannot be managed via the API"));
  }

  @ParameterizedTest
  @MethodSource({"pods", "others"})
  void whoCreatesAnObjectIsTold(Row row) {
    assertThat(onCreate(row.yaml)).containsExactlyElementsOf(row.warnings);
  }

  @Test
  void aTemplateIsLookedAtWhenItChanges() {
    String yaml =
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, generation: %d}, spec:"
            + " {template: "
            + NEGATIVE_TEMPLATE
            + "}}";
    JsonObject old = object(yaml.formatted(1));
    var warnings = resource(old).warnings();
    assertThat(warnings.onUpdate(object(yaml.formatted(2)), old))
        .containsExactly(negative("spec.template"));
    assertThat(warnings.onUpdate(old, old)).isEmpty();
  }

  @Test
  void manyPortsAndPathsCostLittle() {
    StringBuilder spec = new StringBuilder("containers:\n- name: a\n  ports:\n");
    spec.append("  - {containerPort: 80, protocol: TCP}\n".repeat(8_000));
    spec.append("volumes:\n- name: v\n  configMap:\n    items:\n");
    spec.append("    - {key: a, path: x}\n".repeat(8_000));
    assertThat(
            onCreate(
                "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n"
                    + spec.toString().indent(2)))
        .hasSizeLessThan(10_000);
  }
}
