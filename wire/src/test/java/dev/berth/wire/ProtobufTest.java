package dev.berth.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import dev.berth.kinds.BuiltIns;
import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.Schemas;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.wire.fixture.FullObjects;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apps;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects become protobuf that the real classes read, and come back as they were. */
class ProtobufTest {

  /** Everything that is served, its lists, and what is sent beside objects. */
  static Stream<GroupVersionKind> kinds() {
    List<GroupVersionKind> kinds = new ArrayList<>();
    for (var version : BuiltIns.catalog().versions()) {
      for (Resource resource : BuiltIns.catalog().resources(version)) {
        kinds.add(resource.kind());
        if (resource.isStored()) {
          kinds.add(version.kind(resource.kind().kind() + "List"));
        }
        resource.subresources().stream().map(Subresource::kind).forEach(kinds::add);
      }
    }
    kinds.add(new GroupVersionKind("", "v1", "Status"));
    kinds.add(new GroupVersionKind("", "v1", "DeleteOptions"));
    kinds.add(new GroupVersionKind("policy", "v1", "Eviction"));
    kinds.add(new GroupVersionKind("autoscaling", "v1", "Scale"));
    kinds.add(new GroupVersionKind("authentication.k8s.io", "v1", "TokenRequest"));
    kinds.add(new GroupVersionKind("authentication.k8s.io", "v1", "TokenReview"));
    kinds.add(new GroupVersionKind("authentication.k8s.io", "v1", "SelfSubjectReview"));
    kinds.add(new GroupVersionKind("authorization.k8s.io", "v1", "SubjectAccessReview"));
    kinds.add(new GroupVersionKind("authorization.k8s.io", "v1", "SelfSubjectAccessReview"));
    kinds.add(new GroupVersionKind("authorization.k8s.io", "v1", "SelfSubjectRulesReview"));
    // The options of exec and its like are in the query, never in a body.
    return kinds.stream().distinct().filter(kind -> Schemas.builtIn().kind(kind).isPresent());
  }

  /** The same but for APIServices, whose messages are in no library. */
  static Stream<GroupVersionKind> kindsWithClasses() {
    return kinds().filter(kind -> !kind.group().equals("apiregistration.k8s.io"));
  }

  @Test
  void apiServicesAreNumberedAsUpstreamNumbersThem() throws Exception {
    JsonObject apiService =
        json(
            """
            {'kind':'APIService','apiVersion':'apiregistration.k8s.io/v1','metadata':{'name':'v1.g'},
             'spec':{'service':{'namespace':'n','name':'s','port':8},'group':'g','version':'v1',
               'insecureSkipTLSVerify':true,'groupPriorityMinimum':9,'versionPriority':15},
             'status':{'conditions':[{'type':'Available','status':'True'}]}}
            """);
    UnknownFieldSet seen =
        UnknownFieldSet.parseFrom(envelope(Protobuf.encode(apiService)).getRaw());
    UnknownFieldSet spec = UnknownFieldSet.parseFrom(bytes(seen, 2));
    UnknownFieldSet service = UnknownFieldSet.parseFrom(bytes(spec, 1));
    assertThat(bytes(service, 1).toStringUtf8()).isEqualTo("n");
    assertThat(bytes(service, 2).toStringUtf8()).isEqualTo("s");
    assertThat(service.getField(3).getVarintList()).containsExactly(8L);
    assertThat(bytes(spec, 2).toStringUtf8()).isEqualTo("g");
    assertThat(bytes(spec, 3).toStringUtf8()).isEqualTo("v1");
    assertThat(spec.getField(4).getVarintList()).containsExactly(1L);
    assertThat(spec.getField(7).getVarintList()).containsExactly(9L);
    assertThat(spec.getField(8).getVarintList()).containsExactly(15L);
    UnknownFieldSet condition =
        UnknownFieldSet.parseFrom(bytes(UnknownFieldSet.parseFrom(bytes(seen, 3)), 1));
    assertThat(bytes(condition, 1).toStringUtf8()).isEqualTo("Available");
    assertThat(bytes(condition, 2).toStringUtf8()).isEqualTo("True");
  }

  private static ByteString bytes(UnknownFieldSet message, int field) {
    return message.getField(field).getLengthDelimitedList().getFirst();
  }

  private static JsonObject decoded(byte[] bytes, GroupVersionKind kind) {
    return Envelope.read(bytes).object(kind);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void fullObjectsComeBackAsTheyWere(GroupVersionKind kind) {
    JsonObject object = FullObjects.of(kind);
    assertThat(decoded(Protobuf.encode(object), kind)).isEqualTo(object);
  }

  @ParameterizedTest
  @MethodSource("kindsWithClasses")
  void theRealClassesReadAndWriteTheSame(GroupVersionKind kind) throws Exception {
    Runtime.Unknown envelope = envelope(Protobuf.encode(FullObjects.of(kind)));
    assertThat(envelope.getTypeMeta().getApiVersion()).isEqualTo(kind.apiVersion());
    assertThat(envelope.getTypeMeta().getKind()).isEqualTo(kind.kind());
    DynamicMessage message = DynamicMessage.parseFrom(descriptor(kind), envelope.getRaw());
    assertNothingUnknown(message);
    assertThat(message.toByteString()).isEqualTo(envelope.getRaw());
  }

  private static Runtime.Unknown envelope(byte[] bytes) throws Exception {
    assertThat(new String(bytes, 0, 4, StandardCharsets.ISO_8859_1)).isEqualTo("k8s\0");
    return Runtime.Unknown.parseFrom(ByteString.copyFrom(bytes, 4, bytes.length - 4));
  }

  private static Descriptor descriptor(GroupVersionKind kind) throws Exception {
    String name = Schemas.builtIn().kind(kind).orElseThrow().name();
    String proto = "k8s.io." + name.substring("io.k8s.".length());
    String group = kind.group().isEmpty() ? "" : kind.group().replaceFirst("\\..*", "");
    String outer =
        name.contains(".meta.v1.")
            ? "Meta"
            : kind.version().toUpperCase(Locale.ROOT)
                + (group.isEmpty()
                    ? ""
                    : group.substring(0, 1).toUpperCase(Locale.ROOT) + group.substring(1));
    Class<?> file = Class.forName("io.kubernetes.client.proto." + outer);
    var files = (FileDescriptor) file.getMethod("getDescriptor").invoke(null);
    return files.getMessageTypes().stream()
        .filter(type -> type.getFullName().equals(proto))
        .findFirst()
        .orElseThrow();
  }

  private static void assertNothingUnknown(Message message) {
    assertThat(message.getUnknownFields().asMap())
        .as(message.getDescriptorForType().getFullName())
        .isEmpty();
    for (Object value : message.getAllFields().values()) {
      if (value instanceof Message inner) {
        assertNothingUnknown(inner);
      } else if (value instanceof List<?> list) {
        list.stream()
            .filter(Message.class::isInstance)
            .map(Message.class::cast)
            .forEach(ProtobufTest::assertNothingUnknown);
      }
    }
  }

  private static JsonObject json(String text) {
    return JsonReader.object(
        text.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.TRUSTED);
  }

  @Test
  void theRealClassesSeeThePodThatWasWritten() throws Exception {
    JsonObject pod =
        json(
            """
            {'kind':'Pod','apiVersion':'v1',
             'metadata':{'name':'p','creationTimestamp':'2026-01-31T08:00:00Z',
               'managedFields':[{'manager':'m','fieldsV1':{'f:spec':{}}}]},
             'spec':{'hostNetwork':true,'terminationGracePeriodSeconds':0,
               'volumes':[{'name':'v','configMap':{'name':'c','optional':false}}],
               'containers':[{'name':'a','image':'i','resources':{'limits':{'cpu':'100m'}},
                 'livenessProbe':{'periodSeconds':3,'httpGet':{'path':'/','port':'web'}}}]}}
            """);
    V1.Pod seen = V1.Pod.parseFrom(envelope(Protobuf.encode(pod)).getRaw());
    assertThat(seen.getMetadata().getName()).isEqualTo("p");
    assertThat(seen.getMetadata().getCreationTimestamp().getSeconds()).isEqualTo(1769846400);
    assertThat(seen.getMetadata().getManagedFields(0).getFieldsV1().getRaw().toStringUtf8())
        .isEqualTo("{\"f:spec\":{}}");
    assertThat(seen.getSpec().getHostNetwork()).isTrue();
    assertThat(seen.getSpec().hasTerminationGracePeriodSeconds()).isTrue();
    V1.ConfigMapVolumeSource volume = seen.getSpec().getVolumes(0).getVolumeSource().getConfigMap();
    assertThat(volume.getLocalObjectReference().getName()).isEqualTo("c");
    assertThat(volume.hasOptional()).isTrue();
    V1.Container container = seen.getSpec().getContainers(0);
    assertThat(container.getResources().getLimitsOrThrow("cpu").getString()).isEqualTo("100m");
    assertThat(container.getLivenessProbe().getHandler().getHttpGet().getPort().getStrVal())
        .isEqualTo("web");
  }

  /** Kubernetes writes every field that is no pointer, also when it was never set. */
  @Test
  void zerosAreLeftOutWhereJsonLeavesThemOut() {
    V1Apps.Deployment deployment =
        V1Apps.Deployment.newBuilder()
            .setMetadata(
                Meta.ObjectMeta.newBuilder()
                    .setName("d")
                    .setGenerateName("")
                    .setGeneration(0)
                    .setCreationTimestamp(Meta.Time.getDefaultInstance()))
            .setSpec(
                V1Apps.DeploymentSpec.newBuilder()
                    .setReplicas(0)
                    .setMinReadySeconds(0)
                    .setPaused(false)
                    .setTemplate(
                        V1.PodTemplateSpec.newBuilder()
                            .setSpec(
                                V1.PodSpec.newBuilder()
                                    .setHostNetwork(false)
                                    .setNodeName("")
                                    .setEnableServiceLinks(false)
                                    .addContainers(
                                        V1.Container.newBuilder()
                                            .setName("")
                                            .setImage("")
                                            .setTty(false)
                                            .setResources(
                                                V1.ResourceRequirements.getDefaultInstance())))))
            .setStatus(V1Apps.DeploymentStatus.newBuilder().setReplicas(0).setCollisionCount(0))
            .build();
    assertThat(decoded(wrapped("apps/v1", "Deployment", deployment), kind("apps", "Deployment")))
        .isEqualTo(
            json(
                """
                {'kind':'Deployment','apiVersion':'apps/v1','metadata':{'name':'d'},
                 'spec':{'replicas':0,'template':{'spec':{'enableServiceLinks':false,
                   'containers':[{'name':'','resources':{}}]}}},
                 'status':{'collisionCount':0}}
                """));
  }

  private static GroupVersionKind kind(String group, String kind) {
    return new GroupVersionKind(group, "v1", kind);
  }

  static byte[] wrapped(String apiVersion, String kind, Message message) {
    byte[] envelope =
        Runtime.Unknown.newBuilder()
            .setTypeMeta(Runtime.TypeMeta.newBuilder().setApiVersion(apiVersion).setKind(kind))
            .setRaw(message.toByteString())
            .build()
            .toByteArray();
    return ByteBuffer.allocate(envelope.length + 4)
        .put("k8s\0".getBytes(StandardCharsets.ISO_8859_1))
        .put(envelope)
        .array();
  }

  @Test
  void schemasOfCustomResourcesTakeAllTheirForms() {
    JsonObject definition =
        json(
            """
            {'kind':'CustomResourceDefinition','apiVersion':'apiextensions.k8s.io/v1',
             'spec':{'group':'g','versions':[{'name':'v1','served':true,'storage':false,'schema':
               {'openAPIV3Schema':{'type':'object','$ref':'','default':{'a':[1.5,null]},
                'maximum':1.5,'minimum':2,'x-kubernetes-preserve-unknown-fields':false,
                'additionalProperties':false,
                'properties':{'a':{'type':'array','items':{'type':'string'}},
                  'b':{'items':[{'format':'x'},{}],'additionalProperties':{'type':'integer'}},
                  'c':{'dependencies':{'d':['e','f'],'g':{'nullable':true}},'enum':['x',1,true]}}
                }}}]}}
            """);
    assertThat(
            decoded(
                Protobuf.encode(definition),
                kind("apiextensions.k8s.io", "CustomResourceDefinition")))
        .isEqualTo(definition);
  }

  @Test
  void fieldsOfSomebodyWhoKnowsMoreArePassedOver() {
    var more =
        UnknownFieldSet.newBuilder()
            .addField(
                99,
                UnknownFieldSet.Field.newBuilder()
                    .addVarint(1)
                    .addFixed32(2)
                    .addFixed64(3)
                    .addLengthDelimited(ByteString.copyFromUtf8("four"))
                    .addGroup(
                        UnknownFieldSet.newBuilder()
                            .addField(1, UnknownFieldSet.Field.newBuilder().addVarint(5).build())
                            .build())
                    .build())
            .build();
    V1.ConfigMap map = V1.ConfigMap.newBuilder().setUnknownFields(more).putData("a", "b").build();
    assertThat(decoded(wrapped("v1", "ConfigMap", map), kind("", "ConfigMap")))
        .isEqualTo(json("{'kind':'ConfigMap','apiVersion':'v1','data':{'a':'b'}}"));
  }

  @Test
  void anEventOfAWatchIsAFrameThatTheRealClassesRead() throws Exception {
    JsonObject map = json("{'kind':'ConfigMap','apiVersion':'v1','metadata':{'name':'a'}}");
    byte[] frame = Protobuf.event("ADDED", map);
    assertThat(ByteBuffer.wrap(frame).getInt()).isEqualTo(frame.length - 4);
    Meta.WatchEvent event =
        Meta.WatchEvent.parseFrom(ByteString.copyFrom(frame, 4, frame.length - 4));
    assertThat(event.getType()).isEqualTo("ADDED");
    assertThat(event.getObject().getRaw().toByteArray()).isEqualTo(Protobuf.encode(map));
  }
}
