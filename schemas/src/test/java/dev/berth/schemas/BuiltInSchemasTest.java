package dev.berth.schemas;

import static dev.berth.model.schema.Merging.ListType.ATOMIC;
import static dev.berth.model.schema.Merging.ListType.MAP;
import static dev.berth.model.schema.Merging.ListType.SET;
import static dev.berth.model.schema.Merging.ListType.UNSPECIFIED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.resource.GroupVersion;
import dev.berth.model.schema.FieldSchema;
import dev.berth.model.schema.FieldType;
import dev.berth.model.schema.Merging;
import dev.berth.model.schema.Schemas;
import dev.berth.model.schema.TypeSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The schemas that the build has just generated. */
class BuiltInSchemasTest {
  private static final Path OVERLAY = Path.of("src/main/overlay/schema-overlay.tsv");

  private final Schemas schemas = Schemas.builtIn();

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "v1, Pod, io.k8s.api.core.v1.Pod",
    "v1, PodList, io.k8s.api.core.v1.PodList",
    "v1, Node, io.k8s.api.core.v1.Node",
    "v1, Namespace, io.k8s.api.core.v1.Namespace",
    "v1, Service, io.k8s.api.core.v1.Service",
    "v1, ConfigMap, io.k8s.api.core.v1.ConfigMap",
    "v1, Secret, io.k8s.api.core.v1.Secret",
    "v1, Event, io.k8s.api.core.v1.Event",
    "v1, Binding, io.k8s.api.core.v1.Binding",
    "v1, Status, io.k8s.apimachinery.pkg.apis.meta.v1.Status",
    "v1, DeleteOptions, io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions",
    "v1, APIResourceList, io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList",
    "apps/v1, DaemonSet, io.k8s.api.apps.v1.DaemonSet",
    "apps/v1, Deployment, io.k8s.api.apps.v1.Deployment",
    "apps/v1, ReplicaSet, io.k8s.api.apps.v1.ReplicaSet",
    "apps/v1, StatefulSet, io.k8s.api.apps.v1.StatefulSet",
    "apps/v1, ControllerRevision, io.k8s.api.apps.v1.ControllerRevision",
    "batch/v1, Job, io.k8s.api.batch.v1.Job",
    "batch/v1, CronJob, io.k8s.api.batch.v1.CronJob",
    "autoscaling/v1, Scale, io.k8s.api.autoscaling.v1.Scale",
    "policy/v1, PodDisruptionBudget, io.k8s.api.policy.v1.PodDisruptionBudget",
    "policy/v1, Eviction, io.k8s.api.policy.v1.Eviction",
    "coordination.k8s.io/v1, Lease, io.k8s.api.coordination.v1.Lease",
    "scheduling.k8s.io/v1, PriorityClass, io.k8s.api.scheduling.v1.PriorityClass",
    "storage.k8s.io/v1, StorageClass, io.k8s.api.storage.v1.StorageClass",
    "storage.k8s.io/v1, VolumeAttachment, io.k8s.api.storage.v1.VolumeAttachment",
    "storage.k8s.io/v1, CSINode, io.k8s.api.storage.v1.CSINode",
    "node.k8s.io/v1, RuntimeClass, io.k8s.api.node.v1.RuntimeClass",
    "rbac.authorization.k8s.io/v1, ClusterRole, io.k8s.api.rbac.v1.ClusterRole",
    "certificates.k8s.io/v1, CertificateSigningRequest,"
        + " io.k8s.api.certificates.v1.CertificateSigningRequest",
    "discovery.k8s.io/v1, EndpointSlice, io.k8s.api.discovery.v1.EndpointSlice",
    "events.k8s.io/v1, Event, io.k8s.api.events.v1.Event",
    "authentication.k8s.io/v1, TokenReview, io.k8s.api.authentication.v1.TokenReview",
    "authentication.k8s.io/v1, TokenRequest, io.k8s.api.authentication.v1.TokenRequest",
    "authorization.k8s.io/v1, SubjectAccessReview,"
        + " io.k8s.api.authorization.v1.SubjectAccessReview",
    "admissionregistration.k8s.io/v1, ValidatingWebhookConfiguration,"
        + " io.k8s.api.admissionregistration.v1.ValidatingWebhookConfiguration",
    "apiextensions.k8s.io/v1, CustomResourceDefinition,"
        + " io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition",
    "apiregistration.k8s.io/v1, APIService,"
        + " io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService",
    "flowcontrol.apiserver.k8s.io/v1, FlowSchema, io.k8s.api.flowcontrol.v1.FlowSchema",
    "networking.k8s.io/v1, NetworkPolicy, io.k8s.api.networking.v1.NetworkPolicy",
    "resource.k8s.io/v1, ResourceClaim, io.k8s.api.resource.v1.ResourceClaim",
    "apidiscovery.k8s.io/v2, APIGroupDiscoveryList, io.k8s.api.apidiscovery.v2.APIGroupDiscoveryList",
  })
  void knowsTheKinds(String apiVersion, String kind, String name) {
    TypeSchema type = schemas.kind(GroupVersion.parse(apiVersion).kind(kind)).orElseThrow();
    assertThat(type.name()).isEqualTo(name);
    assertThat(type.field("apiVersion")).isPresent();
    assertThat(type.field("kind")).isPresent();
  }

  @ParameterizedTest(name = "{0}.{1}: {2}")
  @CsvSource({
    "core.v1.Toleration, effect, STRING",
    "core.v1.Toleration, key, STRING",
    "core.v1.Toleration, operator, STRING",
    "core.v1.Toleration, tolerationSeconds, INT64",
    "core.v1.Toleration, value, STRING",
    "core.v1.Taint, timeAdded, TIME",
    "core.v1.ContainerPort, containerPort, INT32",
    "core.v1.HTTPGetAction, port, INT_OR_STRING",
    "core.v1.ServicePort, targetPort, INT_OR_STRING",
    "core.v1.PodSpec, hostNetwork, BOOLEAN",
    "core.v1.EmptyDirVolumeSource, sizeLimit, QUANTITY",
    "apps.v1.ControllerRevision, data, ANY",
    "coordination.v1.LeaseSpec, renewTime, MICRO_TIME",
    "coordination.v1.LeaseSpec, acquireTime, MICRO_TIME",
    "core.v1.Event, firstTimestamp, TIME",
    "core.v1.Event, eventTime, MICRO_TIME",
    "events.v1.Event, eventTime, MICRO_TIME",
    "events.v1.EventSeries, lastObservedTime, MICRO_TIME",
    "certificates.v1.CertificateSigningRequestSpec, request, BYTES",
  })
  void knowsTheTypesOfPlainFields(String type, String field, FieldType.Scalar expected) {
    assertThat(field(type, field).type()).isEqualTo(expected);
  }

  @Test
  void knowsTheTypesOfListsMapsAndReferences() {
    FieldType.Reference container = new FieldType.Reference("io.k8s.api.core.v1.Container");
    FieldType.Scalar string = FieldType.Scalar.STRING;
    assertThat(field("core.v1.PodSpec", "containers").type())
        .isEqualTo(new FieldType.ListOf(container));
    assertThat(field("core.v1.Pod", "spec").type())
        .isEqualTo(new FieldType.Reference("io.k8s.api.core.v1.PodSpec"));
    assertThat(meta("ObjectMeta", "labels").type()).isEqualTo(new FieldType.MapOf(string));
    assertThat(field("core.v1.NodeStatus", "allocatable").type())
        .isEqualTo(new FieldType.MapOf(FieldType.Scalar.QUANTITY));
    assertThat(field("core.v1.Secret", "data").type())
        .isEqualTo(new FieldType.MapOf(FieldType.Scalar.BYTES));
    assertThat(field("authentication.v1.UserInfo", "extra").type())
        .isEqualTo(new FieldType.MapOf(new FieldType.ListOf(string)));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "core.v1.Container, name",
    "core.v1.Taint, effect key",
    "core.v1.Toleration, ''",
    "apps.v1.DaemonSetSpec, selector template",
    "core.v1.PodSpec, containers",
    "core.v1.ContainerPort, containerPort",
    "core.v1.NodeSelector, nodeSelectorTerms",
    "coordination.v1.LeaseSpec, ''",
    "core.v1.Event, involvedObject metadata",
  })
  void knowsWhatIsRequired(String type, String required) {
    assertThat(type(type).fields().stream().filter(FieldSchema::required).map(FieldSchema::name))
        .isEqualTo(required.isEmpty() ? List.of() : List.of(required.split(" ", -1)));
  }

  @Test
  void knowsHowFieldsMerge() {
    Set<Merging.PatchStrategy> merge = Set.of(Merging.PatchStrategy.MERGE);
    Merging containers = field("core.v1.PodSpec", "containers").merging();
    assertThat(containers)
        .isEqualTo(new Merging(MAP, List.of("name"), merge, "name", Merging.MapType.UNSPECIFIED));
    Merging ports = field("core.v1.Container", "ports").merging();
    assertThat(ports)
        .isEqualTo(
            new Merging(
                MAP,
                List.of("containerPort", "protocol"),
                merge,
                "containerPort",
                Merging.MapType.UNSPECIFIED));
    assertThat(field("core.v1.NodeSpec", "taints").merging().listType()).isEqualTo(ATOMIC);
    assertThat(field("core.v1.PodSpec", "tolerations").merging().listType()).isEqualTo(ATOMIC);
    assertThat(meta("ObjectMeta", "finalizers").merging().listType()).isEqualTo(SET);
    assertThat(meta("ObjectMeta", "finalizers").merging().patchStrategies()).isEqualTo(merge);
    assertThat(meta("ObjectMeta", "ownerReferences").merging().listMapKeys())
        .containsExactly("uid");
    assertThat(field("core.v1.PodSpec", "volumes").merging().patchStrategies())
        .containsExactlyInAnyOrder(Merging.PatchStrategy.MERGE, Merging.PatchStrategy.RETAIN_KEYS);
    assertThat(field("core.v1.PodSpec", "nodeSelector").merging().mapType())
        .isEqualTo(Merging.MapType.ATOMIC);
    assertThat(field("core.v1.PodSpec", "nodeName").merging().listType()).isEqualTo(UNSPECIFIED);
    assertThat(type("core.v1.LocalObjectReference").mapType()).isEqualTo(Merging.MapType.ATOMIC);
    assertThat(type("core.v1.PodSpec").mapType()).isEqualTo(Merging.MapType.UNSPECIFIED);
  }

  @Test
  void hasEveryTypeAndFieldThatTheOverlayNames() throws IOException {
    int rows = 0;
    for (String line : Files.readAllLines(OVERLAY)) {
      if (line.startsWith("io.")) {
        String[] cells = line.split("\t", -1);
        TypeSchema type = schemas.type(cells[0]).orElseThrow(() -> new AssertionError(line));
        if (cells[1].isEmpty()) {
          assertThat(type.mapType().name()).as(line).isEqualToIgnoringCase(orUnspecified(cells[6]));
        } else {
          Merging merging =
              type.field(cells[1]).orElseThrow(() -> new AssertionError(line)).merging();
          assertThat(merging.listType().name())
              .as(line)
              .isEqualToIgnoringCase(orUnspecified(cells[2]));
          assertThat(String.join(",", merging.listMapKeys())).as(line).isEqualTo(cells[3]);
          assertThat(merging.patchMergeKey()).as(line).isEqualTo(cells[5]);
        }
        rows++;
      }
    }
    assertThat(rows).isGreaterThan(400);
  }

  private static String orUnspecified(String cell) {
    return cell.isEmpty() ? "UNSPECIFIED" : cell;
  }

  @Test
  void refersOnlyToTypesThatExist() {
    for (TypeSchema type : schemas.types()) {
      for (FieldSchema field : type.fields()) {
        FieldType innermost = innermost(field.type());
        if (innermost instanceof FieldType.Reference(String name)) {
          assertThat(schemas.type(name)).as(type.name() + " " + field.name()).isPresent();
        }
      }
    }
  }

  private static FieldType innermost(FieldType type) {
    return switch (type) {
      case FieldType.ListOf(FieldType element) -> innermost(element);
      case FieldType.MapOf(FieldType value) -> innermost(value);
      case FieldType.Scalar scalar -> scalar;
      case FieldType.Reference reference -> reference;
    };
  }

  /** A package without a kind would be a type that was put into the wrong group. */
  @Test
  void hasAKindInEveryPackage() {
    Set<String> all = new HashSet<>();
    Set<String> withKind = new HashSet<>();
    for (TypeSchema type : schemas.types()) {
      String openApiPackage = type.name().substring(0, type.name().lastIndexOf('.'));
      all.add(openApiPackage);
      if (type.kind() != null) {
        withKind.add(openApiPackage);
      }
    }
    assertThat(withKind).isEqualTo(all).hasSizeGreaterThan(30);
  }

  /** Lists that are keyed must be keyed by fields that their elements have. */
  @Test
  void keysListsByFieldsOfTheirElements() {
    for (TypeSchema type : schemas.types()) {
      for (FieldSchema field : type.fields()) {
        if (field.type() instanceof FieldType.ListOf(FieldType.Reference(String element))) {
          TypeSchema elements = schemas.type(element).orElseThrow();
          assertThat(field.merging().listMapKeys())
              .as(type.name() + " " + field.name())
              .allSatisfy(key -> assertThat(elements.field(key)).isPresent());
          String mergeKey = field.merging().patchMergeKey();
          assertThat(mergeKey.isEmpty() || elements.field(mergeKey).isPresent()).isTrue();
        }
      }
    }
  }

  @Test
  void describesTypesAndFields() {
    TypeSchema taint = type("core.v1.Taint");
    assertThat(schemas.descriptions().of(taint))
        .contains("any pod that does not tolerate the Taint");
    assertThat(schemas.descriptions().of(taint, "key")).contains("taint key");
    assertThat(schemas.descriptions().of(type("core.v1.Pod"), "kind")).contains("CamelCase");
    assertThat(schemas.descriptions().of(type("core.v1.Pod"), "spec"))
        .isEqualTo(schemas.descriptions().of(type("core.v1.PodSpec")))
        .isNotEmpty();
    assertThatThrownBy(() -> schemas.descriptions().of(taint, "unknown"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(taint.field("unknown")).isEmpty();
  }

  private TypeSchema type(String name) {
    return schemas.type("io.k8s.api." + name).orElseThrow();
  }

  private FieldSchema field(String type, String field) {
    return type(type).field(field).orElseThrow();
  }

  private FieldSchema meta(String type, String field) {
    return schemas
        .type("io.k8s.apimachinery.pkg.apis.meta.v1." + type)
        .flatMap(schema -> schema.field(field))
        .orElseThrow();
  }
}
