package dev.berth.serving.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.berth.access.AccessControl;
import dev.berth.access.Authenticator;
import dev.berth.access.BuiltInAuthorizer;
import dev.berth.model.user.User;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.serving.fixture.FakeExchange;
import dev.berth.serving.fixture.Requests;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests and answers in protobuf and YAML, without a network. */
class FormatsTest {
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  private static final String YAML = "application/yaml";
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  private final TestCluster cluster = new TestCluster();
  private final ApiHandler handler =
      Requests.handler(
          cluster,
          new AccessControl(
              List.of(_ ->
                  new Authenticator.Answer.Known(
                      User.authenticated("root", List.of(User.MASTERS)))),
              List.of(new BuiltInAuthorizer())),
          Optional.empty());

  @AfterEach
  void close() {
    handler.close();
  }

  private FakeExchange answer(FakeExchange exchange) throws Exception {
    handler.handle(exchange);
    return exchange;
  }

  private FakeExchange get(String target, String accept) throws Exception {
    return answer(new FakeExchange("GET", target).with("Accept", accept));
  }

  private static byte[] wrapped(String apiVersion, String kind, Message message) {
    byte[] envelope =
        Runtime.Unknown.newBuilder()
            .setTypeMeta(Runtime.TypeMeta.newBuilder().setApiVersion(apiVersion).setKind(kind))
            .setRaw(message.toByteString())
            .build()
            .toByteArray();
    return ByteBuffer.allocate(envelope.length + 4)
        .put("k8s\0".getBytes(UTF_8))
        .put(envelope)
        .array();
  }

  private static Runtime.Unknown opened(byte[] bytes) throws Exception {
    assertThat(new String(bytes, 0, 4, UTF_8)).isEqualTo("k8s\0");
    return Runtime.Unknown.parseFrom(ByteString.copyFrom(bytes, 4, bytes.length - 4));
  }

  private static V1.ConfigMap configMap(String name, String value) {
    return V1.ConfigMap.newBuilder()
        .setMetadata(Meta.ObjectMeta.newBuilder().setName(name).setNamespace(""))
        .putData("key", value)
        .build();
  }

  private FakeExchange create(String name) throws Exception {
    return answer(
        new FakeExchange("POST", CONFIG_MAPS)
            .with("Content-Type", PROTOBUF)
            .with("Accept", PROTOBUF + ",application/json")
            .body(wrapped("v1", "ConfigMap", configMap(name, "1"))));
  }

  @Test
  void createsUpdatesGetsAndDeletesInProtobuf() throws Exception {
    FakeExchange created = create("a");
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.answerHeaders("Content-Type")).containsExactly(PROTOBUF);
    assertThat(created.answerHeaders("Warning")).isEmpty();
    V1.ConfigMap map = V1.ConfigMap.parseFrom(opened(created.answerBytes()).getRaw());
    assertThat(map.getMetadata().getNamespace()).isEqualTo("default");
    assertThat(map.getMetadata().getUid()).isNotEmpty();
    assertThat(map.getDataOrThrow("key")).isEqualTo("1");
    assertThat(get(CONFIG_MAPS + "/a", PROTOBUF).answerBytes()).isEqualTo(created.answerBytes());

    FakeExchange updated =
        answer(
            new FakeExchange("PUT", CONFIG_MAPS + "/a")
                .with("Content-Type", PROTOBUF)
                .body(wrapped("v1", "ConfigMap", map.toBuilder().putData("key", "2").build())));
    assertThat(updated.status()).isEqualTo(200);
    assertThat(updated.answer()).contains("\"data\":{\"key\":\"2\"}");

    Meta.DeleteOptions options =
        Meta.DeleteOptions.newBuilder()
            .setPreconditions(Meta.Preconditions.newBuilder().setUid("another"))
            .build();
    FakeExchange refused =
        answer(
            new FakeExchange("DELETE", CONFIG_MAPS + "/a")
                .with("Content-Type", PROTOBUF)
                .with("Accept", PROTOBUF)
                .body(wrapped("apps/v1", "DeleteOptions", options)));
    assertThat(refused.status()).isEqualTo(409);
    Meta.Status status = Meta.Status.parseFrom(opened(refused.answerBytes()).getRaw());
    assertThat(status.getReason()).isEqualTo("Conflict");
    assertThat(status.getDetails().getKind()).isEqualTo("ConfigMap");
    FakeExchange wrongBody =
        answer(
            new FakeExchange("DELETE", CONFIG_MAPS + "/a")
                .with("Content-Type", PROTOBUF)
                .body(wrapped("v1", "ConfigMap", configMap("a", "1"))));
    assertThat(wrongBody.status()).isEqualTo(400);
    assertThat(wrongBody.answer())
        .contains("no kind \\\"ConfigMap\\\" is registered for version \\\"v1\\\" in scheme");
  }

  @Test
  void bodiesOfAnotherKindAndBrokenOnesAreRefusedClearly() throws Exception {
    FakeExchange other =
        answer(
            new FakeExchange("POST", CONFIG_MAPS)
                .with("Content-Type", PROTOBUF)
                .body(wrapped("v1", "Secret", V1.Secret.getDefaultInstance())));
    assertThat(other.status()).isEqualTo(400);
    assertThat(other.answer()).contains("Secret in version \\\"v1\\\" cannot be handled as a");
    FakeExchange noEnvelope =
        answer(new FakeExchange("POST", CONFIG_MAPS).with("Content-Type", PROTOBUF).body("{}"));
    assertThat(noEnvelope.status()).isEqualTo(400);
    assertThat(noEnvelope.answer())
        .contains(
            "the object provided is unrecognized (must be of type ConfigMap): provided data does"
                + " not appear to be a protobuf message, expected prefix [107 56 115 0] ({})");
    FakeExchange unknownType =
        answer(new FakeExchange("POST", CONFIG_MAPS).with("Content-Type", "text/csv").body("{}"));
    assertThat(unknownType.status()).isEqualTo(415);
    assertThat(unknownType.answer())
        .contains(
            "accepted media types include: application/json, application/yaml,"
                + " application/vnd.kubernetes.protobuf");
  }

  @Test
  void whoseAnswerCannotBeGivenHasChangedNothing() throws Exception {
    FakeExchange refused =
        answer(
            new FakeExchange("POST", CONFIG_MAPS)
                .with("Accept", "text/html")
                .body("{'metadata':{'name':'a'}}"));
    assertThat(refused.status()).isEqualTo(406);
    assertThat(get(CONFIG_MAPS + "/a", "*/*").status()).isEqualTo(404);
  }

  /** CBOR is served only where its feature gate is on upstream, which it is not by default. */
  @Test
  void cborIsRefusedAsWhereItsGateIsOff() throws Exception {
    assertThat(get(CONFIG_MAPS, "application/cbor").status()).isEqualTo(406);
    assertThat(get(CONFIG_MAPS, "application/cbor, application/json").status()).isEqualTo(200);
    FakeExchange sent =
        answer(
            new FakeExchange("POST", CONFIG_MAPS)
                .with("Content-Type", "application/cbor")
                .body(new byte[] {(byte) 0xa0}));
    assertThat(sent.status()).isEqualTo(415);
    FakeExchange applied =
        answer(
            new FakeExchange("PATCH", CONFIG_MAPS + "/a?fieldManager=m")
                .with("Content-Type", "application/apply-patch+cbor")
                .body(new byte[] {(byte) 0xa0}));
    assertThat(applied.status()).isEqualTo(415);
  }

  @Test
  void listsAreTheSameInProtobuf() throws Exception {
    create("a");
    create("b");
    Runtime.Unknown list = opened(get(CONFIG_MAPS + "?limit=1", PROTOBUF).answerBytes());
    assertThat(list.getTypeMeta().getKind()).isEqualTo("ConfigMapList");
    V1.ConfigMapList maps = V1.ConfigMapList.parseFrom(list.getRaw());
    assertThat(maps.getItemsList()).hasSize(1);
    assertThat(maps.getMetadata().getContinue()).isNotEmpty();
    assertThat(maps.getMetadata().getRemainingItemCount()).isEqualTo(1);

    Runtime.Unknown metadata =
        opened(
            get(CONFIG_MAPS, PROTOBUF + ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1")
                .answerBytes());
    assertThat(metadata.getTypeMeta().getApiVersion()).isEqualTo("meta.k8s.io/v1");
    assertThat(metadata.getTypeMeta().getKind()).isEqualTo("PartialObjectMetadataList");
    Meta.PartialObjectMetadataList partial =
        Meta.PartialObjectMetadataList.parseFrom(metadata.getRaw());
    assertThat(partial.getItemsList())
        .extracting(item -> item.getMetadata().getName())
        .containsExactly("a", "b");
  }

  @Test
  void largeListsAreStreamedWithTheRightLength() throws Exception {
    for (int i = 0; i < 501; i++) {
      create("many-" + i);
    }
    FakeExchange answered = get(CONFIG_MAPS, PROTOBUF);
    V1.ConfigMapList maps = V1.ConfigMapList.parseFrom(opened(answered.answerBytes()).getRaw());
    assertThat(maps.getItemsList()).hasSize(501);
  }

  @Test
  void watchesAreFrames() throws Exception {
    create("a");
    FakeExchange watch =
        answer(
            new FakeExchange(
                    "GET",
                    CONFIG_MAPS
                        + "?watch=1&allowWatchBookmarks=true"
                        + "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan")
                .with("Accept", PROTOBUF + ";stream=watch," + PROTOBUF)
                .leavingAfter(2));
    assertThat(watch.answerHeaders("Content-Type")).containsExactly(PROTOBUF + ";stream=watch");
    List<Meta.WatchEvent> events = new ArrayList<>();
    ByteBuffer bytes = ByteBuffer.wrap(watch.answerBytes());
    while (bytes.hasRemaining()) {
      byte[] frame = new byte[bytes.getInt()];
      bytes.get(frame);
      events.add(Meta.WatchEvent.parseFrom(frame));
    }
    assertThat(events).extracting(Meta.WatchEvent::getType).containsExactly("ADDED", "BOOKMARK");
    Runtime.Unknown object = opened(events.getFirst().getObject().getRaw().toByteArray());
    assertThat(object.getTypeMeta().getKind()).isEqualTo("ConfigMap");
    assertThat(V1.ConfigMap.parseFrom(object.getRaw()).getMetadata().getName()).isEqualTo("a");
    Runtime.Unknown bookmark = opened(events.getLast().getObject().getRaw().toByteArray());
    assertThat(V1.ConfigMap.parseFrom(bookmark.getRaw()).getMetadata().getAnnotationsMap())
        .containsEntry("k8s.io/initial-events-end", "true");
  }

  @Test
  void discoveryIsGivenInTheSameFormats() throws Exception {
    FakeExchange resources = get("/api/v1", PROTOBUF);
    assertThat(resources.answerHeaders("Content-Type")).containsExactly(PROTOBUF);
    Runtime.Unknown envelope = opened(resources.answerBytes());
    assertThat(envelope.getTypeMeta().getKind()).isEqualTo("APIResourceList");
    assertThat(Meta.APIResourceList.parseFrom(envelope.getRaw()).getResourcesList())
        .filteredOn(resource -> resource.getName().equals("configmaps"))
        .singleElement()
        .satisfies(
            resource -> assertThat(resource.getVerbs().getItemsList()).contains("create", "watch"));
    assertThat(opened(get("/api", PROTOBUF).answerBytes()).getTypeMeta().getKind())
        .isEqualTo("APIVersions");
    assertThat(get("/apis", YAML).answer()).contains("groupVersion: apps/v1\n");
  }

  @Test
  void aWatchCannotBeYaml() throws Exception {
    FakeExchange refused = get(CONFIG_MAPS + "?watch=1", YAML);
    assertThat(refused.status()).isEqualTo(406);
    assertThat(refused.answer())
        .contains(
            "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch");
  }

  @Test
  void yamlIsTakenAndGiven() throws Exception {
    FakeExchange created =
        answer(
            new FakeExchange("POST", CONFIG_MAPS)
                .with("Content-Type", YAML)
                .with("Accept", YAML)
                .body("metadata:\n  name: a\ndata: {key: \"1\"}\n"));
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.answerHeaders("Content-Type")).containsExactly(YAML);
    assertThat(created.answer())
        .startsWith("apiVersion: v1\ndata:\n  key: \"1\"\nkind: ConfigMap\n");
    assertThat(get(CONFIG_MAPS, YAML).answer()).contains("items:\n- data:\n    key: \"1\"\n");
    assertThat(get(CONFIG_MAPS + "/none", YAML).answer())
        .contains("reason: NotFound\n", "status: Failure\n");
  }

  @Test
  void configurationsToApplyMayBeRealYaml() throws Exception {
    FakeExchange applied =
        answer(
            new FakeExchange("PATCH", CONFIG_MAPS + "/a?fieldManager=me")
                .with("Content-Type", "application/apply-patch+yaml")
                .body(
                    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  # why\n  key: \"1\"\n"));
    assertThat(applied.status()).isEqualTo(201);
    assertThat(applied.answer()).contains("\"data\":{\"key\":\"1\"}");
  }

  private FakeExchange twice(String type, String body, String validation) throws Exception {
    return answer(
        new FakeExchange("POST", CONFIG_MAPS + "?dryRun=All" + validation)
            .with("Content-Type", type)
            .body(body));
  }

  @Test
  void fieldsThatAreNamedTwiceAreToldAsTheClientWishes() throws Exception {
    String json =
        "{'metadata':{'name':'a','labels':{'l':'1','l':'2'}},'data':{'x':'1'},'data':{'y':'2'}}";
    FakeExchange warned = twice("application/json", json, "");
    assertThat(warned.status()).isEqualTo(201);
    assertThat(warned.answer()).contains("\"data\":{\"y\":\"2\"}", "\"labels\":{\"l\":\"2\"}");
    assertThat(warned.answerHeaders("Warning"))
        .containsExactly(
            "299 - \"duplicate field \\\"metadata.labels.l\\\"\"",
            "299 - \"duplicate field \\\"data\\\"\"");
    FakeExchange strict = twice("application/json", json, "&fieldValidation=Strict");
    assertThat(strict.status()).isEqualTo(400);
    assertThat(strict.answer())
        .contains(
            "strict decoding error: duplicate field \\\"metadata.labels.l\\\", duplicate field"
                + " \\\"data\\\"");
    FakeExchange ignored = twice("application/json", json, "&fieldValidation=Ignore");
    assertThat(ignored.status()).isEqualTo(201);
    assertThat(ignored.answerHeaders("Warning")).isEmpty();
    FakeExchange yaml = twice(YAML, "metadata: {name: a}\nkind: ConfigMap\nkind: ConfigMap\n", "");
    assertThat(yaml.answerHeaders("Warning"))
        .containsExactly("299 - \"line 3: key \\\"kind\\\" already set in map\"");
  }
}
