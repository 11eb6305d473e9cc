package dev.berth.apiserver.layout;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kinds.BuiltIns;
import dev.berth.kinds.resource.Conforming;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.serving.fixture.Requests;
import dev.berth.store.Store.Entry;
import dev.berth.store.Store.RangeRequest;
import dev.berth.store.Store.RangeResult;
import dev.berth.store.etcd.UndecodableException;
import dev.berth.time.fixture.SeededTest;
import dev.berth.wire.Envelope;
import dev.berth.wire.Protobuf;
import dev.berth.wire.fixture.RandomObjects;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Objects are in etcd as a kube-apiserver has them, and come back as they were. */
class KubernetesLayoutTest {
  private static final KubernetesLayout LAYOUT = new KubernetesLayout("/registry");
  private static final String ACCEPTED = "/dev/berth/serving/wire/accepted-objects.jsonl";

  private static JsonObject json(String text) {
    return read(text.replace('\'', '"').getBytes(UTF_8));
  }

  private static JsonObject read(byte[] bytes) {
    return JsonReader.object(bytes, JsonLimits.TRUSTED);
  }

  private static String key(Resource resource) {
    return "/registry/"
        + resource.groupResource()
        + (resource.isNamespaced() ? "/default" : "")
        + "/web";
  }

  @Test
  void whatAServerStoresComesBackAsItWas() throws IOException {
    TestCluster cluster = new TestCluster();
    TreeSet<String> seen = new TreeSet<>();
    try (Requests requests = new Requests(cluster);
        InputStream lines =
            Objects.requireNonNull(KubernetesLayoutTest.class.getResourceAsStream(ACCEPTED))) {
      for (String line : new String(lines.readAllBytes(), UTF_8).lines().toList()) {
        JsonObject accepted = read(line.getBytes(UTF_8));
        requests.send("POST", accepted.text("path", ""), accepted.object("object").toString());
      }
      var all = (RangeResult.Page) cluster.store.range(RangeRequest.prefix("/registry/"));
      for (Entry entry : all.entries()) {
        byte[] stored = LAYOUT.encode(entry.key(), entry.value());
        assertThat(read(LAYOUT.decode(entry.key(), stored)))
            .as(entry.key())
            .isEqualTo(read(entry.value()));
        assertThat(LAYOUT.encode(entry.key(), LAYOUT.decode(entry.key(), stored)))
            .as(entry.key())
            .isEqualTo(stored);
        seen.add(KubernetesKeys.resource(entry.key()));
      }
    }
    assertThat(seen).hasSizeGreaterThan(40);
  }

  /** Whatever is in them: quantities, times, bytes, maps, numbers or strings, any JSON. */
  @SeededTest(fixed = 2, fresh = 2)
  void objectsOfEveryKindSurviveTheWayThereAndBack(long seed) {
    RandomObjects random = new RandomObjects(new SplittableRandom(seed));
    for (Resource resource : KubernetesLayout.stored(BuiltIns.catalog())) {
      for (int i = 0; i < 20; i++) {
        JsonObject object =
            Conforming.shape(random.of(resource.kind()), JsonObject.EMPTY, resource).object();
        // Defaults of what a server would refuse may need a second round to settle.
        byte[] once = StoredEncoding.adopted(resource, object);
        byte[] value = StoredEncoding.adopted(resource, read(once));
        byte[] back = LAYOUT.decode(key(resource), LAYOUT.encode(key(resource), value));
        assertThat(read(back)).as(resource.kind().toString()).isEqualTo(read(value));
        assertThat(new String(back, UTF_8))
            .startsWith(
                "{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":{\""
                    .formatted(resource.kind().kind(), resource.kind().apiVersion()));
      }
    }
  }

  @Test
  void builtInKindsAreProtobufInTheVersionOfAKubeApiserver() {
    for (Resource resource : KubernetesLayout.stored(BuiltIns.catalog())) {
      JsonObject object =
          new JsonObject.Builder()
              .put("kind", resource.kind().kind())
              .put("apiVersion", resource.kind().apiVersion())
              .put("metadata", JsonObject.of("name", "web"))
              .build();
      byte[] stored = LAYOUT.encode(key(resource), JsonWriter.toBytes(object));
      if (resource.kind().group().equals("apiextensions.k8s.io")) {
        assertThat(read(stored).text("apiVersion")).isEqualTo("apiextensions.k8s.io/v1beta1");
      } else if (resource.kind().group().equals("apiregistration.k8s.io")) {
        assertThat(read(stored).text("apiVersion")).isEqualTo("apiregistration.k8s.io/v1");
      } else {
        assertThat(Protobuf.isEnvelope(stored)).isTrue();
        String version =
            resource.plural().startsWith("mutatingadmission")
                ? "v1beta1"
                : resource.plural().equals("horizontalpodautoscalers") ? "v2" : "v1";
        String group = resource.kind().group();
        assertThat(Envelope.read(stored).apiVersion())
            .isEqualTo(group.isEmpty() ? version : group + "/" + version);
        assertThat(Envelope.read(stored).kind()).isEqualTo(resource.kind().kind());
      }
    }
  }

  @Test
  void theOldestFormOfADefinitionSaysOnceWhatAllVersionsHave() {
    JsonObject v1 =
        json(
            """
            {'kind':'CustomResourceDefinition','apiVersion':'apiextensions.k8s.io/v1','metadata':{'name':'web'},
             'spec':{'group':'g.io','scope':'Cluster',
               'names':{'plural':'ships','singular':'ship','kind':'Ship','listKind':'ShipList'},
               'versions':[
                 {'name':'v2','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object'}},
                  'additionalPrinterColumns':[{'name':'A','type':'string','jsonPath':'.a'}]},
                 {'name':'v1','served':true,'storage':false,'schema':{'openAPIV3Schema':{'type':'object'}}}],
               'conversion':{'strategy':'Webhook','webhook':{'clientConfig':{'url':'https://c.io'},
                 'conversionReviewVersions':['v1']}}},
             'status':{'storedVersions':['v2'],'conditions':null,'acceptedNames':{'plural':'','kind':''}}}
            """);
    String key = "/registry/customresourcedefinitions.apiextensions.k8s.io/web";

    byte[] stored = LAYOUT.encode(key, JsonWriter.toBytes(v1));

    assertThat(read(stored).object("spec"))
        .isEqualTo(
            json(
                """
                {'group':'g.io','scope':'Cluster','version':'v2','preserveUnknownFields':false,
                 'names':{'plural':'ships','singular':'ship','kind':'Ship','listKind':'ShipList'},
                 'validation':{'openAPIV3Schema':{'type':'object'}},
                 'versions':[
                   {'name':'v2','served':true,'storage':true,
                    'additionalPrinterColumns':[{'name':'A','type':'string','JSONPath':'.a'}]},
                   {'name':'v1','served':true,'storage':false}],
                 'conversion':{'strategy':'Webhook','webhookClientConfig':{'url':'https://c.io'},
                   'conversionReviewVersions':['v1']}}
                """));
    assertThat(read(LAYOUT.decode(key, stored))).isEqualTo(v1);
  }

  @Test
  void aDefinitionOfTheFirstYearsIsRead() {
    JsonObject old =
        json(
            """
            {'kind':'CustomResourceDefinition','apiVersion':'apiextensions.k8s.io/v1beta1','metadata':{'name':'web'},
             'spec':{'group':'g.io','version':'v1','names':{'plural':'ships','kind':'Ship'},'subresources':{'status':{}}}}
            """);
    JsonObject spec =
        read(LAYOUT.decode(
                "/registry/customresourcedefinitions.apiextensions.k8s.io/web",
                JsonWriter.toBytes(old)))
            .object("spec");
    assertThat(spec)
        .isEqualTo(
            json(
                """
                {'group':'g.io','names':{'plural':'ships','singular':'ship','kind':'Ship','listKind':'ShipList'},
                 'scope':'Namespaced','preserveUnknownFields':true,'conversion':{'strategy':'None'},
                 'versions':[{'name':'v1','served':true,'storage':true,'subresources':{'status':{}}}]}
                """));
  }

  @Test
  void customResourcesStayJsonWithTheirKindFirst() {
    String key = "/registry/ships.g.io/default/web";
    byte[] theirs =
        "{\"apiVersion\":\"g.io/v1\",\"a\":1.50,\"kind\":\"Ship\",\"metadata\":{\"name\":\"web\",\"uid\":\"u\"}}\n"
            .getBytes(UTF_8);
    byte[] ours = LAYOUT.decode(key, theirs);
    assertThat(new String(ours, UTF_8))
        .isEqualTo(
            "{\"kind\":\"Ship\",\"apiVersion\":\"g.io/v1\",\"metadata\":{\"name\":\"web\",\"uid\":\"u\"},\"a\":1.50}");
    assertThat(LAYOUT.encode(key, ours)).isSameAs(ours);
    assertThat(LAYOUT.decode(key, ours)).isSameAs(ours);
  }

  @Test
  void whatWasWrittenLongAgoIsReadInItsOldVersion() {
    JsonObject autoscaler =
        json(
            """
            {'kind':'HorizontalPodAutoscaler','apiVersion':'autoscaling/v1','metadata':{'name':'web','namespace':'default'},
             'spec':{'scaleTargetRef':{'kind':'Deployment','name':'web'},'maxReplicas':3,'targetCPUUtilizationPercentage':50},
             'status':{'currentReplicas':1,'desiredReplicas':1}}
            """);
    JsonObject read =
        read(
            LAYOUT.decode(
                "/registry/horizontalpodautoscalers.autoscaling/default/web",
                Protobuf.encode(autoscaler)));
    assertThat(read.text("apiVersion")).isEqualTo("autoscaling/v2");
    assertThat(read.object("spec").array("metrics").objects().getFirst().object("resource"))
        .isEqualTo(json("{'name':'cpu','target':{'type':'Utilization','averageUtilization':50}}"));

    JsonObject lease =
        json(
            """
            {'kind':'Lease','apiVersion':'coordination.k8s.io/v1','metadata':{'name':'web','namespace':'default'},
             'spec':{'holderIdentity':'a','renewTime':'2026-01-31T08:00:00.000001Z'}}
            """);
    byte[] beta =
        new String(Protobuf.encode(lease), ISO_8859_1)
            .replace("\u0016coordination.k8s.io/v1", "\u001bcoordination.k8s.io/v1beta1")
            .getBytes(ISO_8859_1);
    beta[5] = (byte) (beta[5] + 5);
    assertThat(read(LAYOUT.decode("/registry/leases.coordination.k8s.io/default/web", beta)))
        .isEqualTo(lease);
  }

  @Test
  void builtInKindsMayBeStoredAsJson() {
    JsonObject map =
        json(
            "{'kind':'ConfigMap','apiVersion':'v1','metadata':{'name':'web','namespace':'default'},'data':{'a':'b'}}");
    assertThat(read(LAYOUT.decode("/registry/configmaps/default/web", JsonWriter.toBytes(map))))
        .isEqualTo(map);
  }

  @Test
  void defaultsThatCameLaterAreAdded() {
    JsonObject service =
        json(
            """
            {'kind':'Service','apiVersion':'v1','metadata':{'name':'web','namespace':'default'},
             'spec':{'ports':[{'port':80}],'clusterIP':'10.0.0.1'}}
            """);
    assertThat(
            read(LAYOUT.decode("/registry/services/default/web", Protobuf.encode(service)))
                .object("spec")
                .text("internalTrafficPolicy"))
        .isEqualTo("Cluster");
  }

  @Test
  void whatCannotBeReadSaysWhy() {
    assertThatThrownBy(() -> LAYOUT.decode("/registry/pods/default/web", "junk".getBytes(UTF_8)))
        .isInstanceOf(UndecodableException.class)
        .hasMessage("it is neither protobuf nor JSON");
    assertThatThrownBy(() ->
            LAYOUT.decode(
                "/registry/pods/default/web",
                Protobuf.encode(
                    json("{'kind':'ConfigMap','apiVersion':'v1','metadata':{'name':'web'}}"))))
        .isInstanceOf(UndecodableException.class)
        .hasMessage("it is of v1, Kind=ConfigMap, which cannot be read as v1, Kind=Pod");
    assertThatThrownBy(
            () -> LAYOUT.decode("/registry/pods/default/web", new byte[] {'k', '8', 's', 0, 10, 1}))
        .isInstanceOf(UndecodableException.class);
    assertThatThrownBy(
            () -> LAYOUT.decode("/registry/ships.g.io/default/web", "{\"a\":".getBytes(UTF_8)))
        .isInstanceOf(UndecodableException.class);
  }
}
