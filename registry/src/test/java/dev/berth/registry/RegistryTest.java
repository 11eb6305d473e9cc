package dev.berth.registry;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.at;
import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.model.user.User;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.registry.status.Status;
import dev.berth.store.Store.Entry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Creating, reading and changing objects. */
class RegistryTest {
  private final TestCluster cluster = new TestCluster();
  private final Registry registry = cluster.registry;
  private final Resource configMaps = cluster.core("configmaps");
  private final Resource pods = cluster.core("pods");

  /** They may hold anything, of any size. */
  private final Resource revisions = cluster.resource("apps", "controllerrevisions");

  @Test
  void whatIsCreatedIsIdentifiedAndDated() {
    JsonObject created = cluster.configMap("a").tree();

    assertThat(at(created, "metadata.creationTimestamp")).isEqualTo("2030-01-01T00:00:00Z");
    assertThat(at(created, "metadata.uid"))
        .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    assertThat(at(created, "metadata.resourceVersion"))
        .isEqualTo(Long.toString(cluster.store.revision()));
    assertThat(registry.get(configMaps, named("a")).tree()).isSameAs(created);
  }

  @Test
  void whatIsSentIsWhatWasStoredWithItsRevision() {
    Stored created = cluster.configMap("a");
    JsonObject sent = tree(new String(created.bytes(), UTF_8));
    assertThat(sent).isEqualTo(created.tree());
    assertThat(sent.names().subList(0, 3)).containsExactly("kind", "apiVersion", "metadata");
    assertThat(new String(entry(created).value(), UTF_8))
        .startsWith("{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{")
        .doesNotContain("resourceVersion");
  }

  private static Entry entry(Stored stored) {
    return Objects.requireNonNull(stored.entry());
  }

  @Test
  void aNameIsTakenOnlyOnce() {
    cluster.configMap("a");
    Status status = refused(() -> cluster.configMap("a"));
    assertThat(status.toTree())
        .isEqualTo(
            tree(
                """
                {'kind':'Status','apiVersion':'v1','metadata':{},'status':'Failure',
                 'message':'configmaps \\'a\\' already exists','reason':'AlreadyExists',
                 'details':{'name':'a','kind':'configmaps'},'code':409}\
                """));
  }

  @Test
  void aNameIsMadeUpFromItsBeginning() {
    String name =
        at(
            cluster.create("configmaps", "{'metadata':{'generateName':'job-'}}").tree(),
            "metadata.name");
    assertThat(name).matches("job-[bcdfghjklmnpqrstvwxz2456789]{5}");
  }

  @Test
  void aNamespaceStaysUntilItIsFinalized() {
    Resource namespaces = cluster.core("namespaces");
    cluster.create("namespaces", "{'metadata':{'name':'x'}}");
    registry.delete(namespaces, ObjectName.of("x"), DeletionOptions.DEFAULT);
    assertThat(at(registry.get(namespaces, ObjectName.of("x")).tree(), "status.phase"))
        .isEqualTo("Terminating");

    registry.modify(
        namespaces,
        ObjectName.of("x"),
        WriteOptions.DEFAULT.subresource("finalize"),
        namespace -> namespace.with("spec", JsonObject.EMPTY));
    assertThat(registry.find(namespaces, ObjectName.of("x"))).isEmpty();
  }

  @Test
  void whoSawAnOldRevisionDoesNotOverwriteANewOne() {
    JsonObject first = cluster.configMap("a").tree();
    registry.update(
        configMaps, named("a"), first.with("data", tree("{'a':'2'}")), WriteOptions.DEFAULT);

    Status status =
        refused(() ->
            registry.update(
                configMaps,
                named("a"),
                first.with("data", tree("{'a':'3'}")),
                WriteOptions.DEFAULT));
    assertThat(status.message())
        .isEqualTo(
            "Operation cannot be fulfilled on configmaps \"a\": the object has been modified; please"
                + " apply your changes to the latest version and try again");
    assertThat(status.reason()).isEqualTo("Conflict");
  }

  @Test
  void whoNamesNoRevisionOverwritesWhateverIsThere() {
    cluster.configMap("a");
    registry.update(
        configMaps,
        named("a"),
        tree("{'metadata':{'name':'a'},'data':{'b':'2'}}"),
        WriteOptions.DEFAULT);
    JsonObject now = registry.get(configMaps, named("a")).tree();
    assertThat(now.object("data")).isEqualTo(tree("{'b':'2'}"));
    assertThat(Metadata.of(now).uid()).isNotEmpty();
  }

  @Test
  void aChangeIsMadeAgainOnWhatSomebodyElseMadeOfIt() {
    cluster.configMap("a");
    registry.modify(
        configMaps,
        named("a"),
        WriteOptions.DEFAULT,
        old -> {
          boolean first = !old.object("data").has("theirs");
          if (first) {
            registry.modify(
                configMaps,
                named("a"),
                WriteOptions.DEFAULT,
                theirs -> theirs.with("data", theirs.object("data").with("theirs", "1")));
          }
          JsonObject changed = old.with("data", old.object("data").with("ours", "1"));
          return Metadata.update(changed, m -> m.without("resourceVersion"));
        });
    assertThat(registry.get(configMaps, named("a")).tree().object("data").names())
        .containsExactly("a", "theirs", "ours");
  }

  @Test
  void aRevisionThatIsNoNumberIsNotCompared() {
    cluster.configMap("a");
    assertThat(change("soon")).isEqualTo("strconv.ParseUint: parsing \"soon\": invalid syntax");
    assertThat(change("99999999999999999999"))
        .isEqualTo("strconv.ParseUint: parsing \"99999999999999999999\": value out of range");
    assertThat(change("99")).contains("the object has been modified");
  }

  private String change(String revision) {
    return refused(() ->
            registry.modify(
                configMaps,
                named("a"),
                WriteOptions.DEFAULT,
                old -> Metadata.update(old, m -> m.with("resourceVersion", revision))))
        .message();
  }

  @Test
  void aChangeThatChangesNothingTakesNoRevision() {
    cluster.configMap("a");
    long before = cluster.store.revision();
    cluster.time.advance(Duration.ofSeconds(10));
    registry.modify(configMaps, named("a"), WriteOptions.DEFAULT, old -> old);
    assertThat(cluster.store.revision()).isEqualTo(before);
  }

  @Test
  void aRehearsalDoesEverythingButTheWrite() {
    WriteOptions dryRun = new WriteOptions(true, "", "", User.SERVER);
    long before = cluster.store.revision();
    Stored created =
        registry.create(configMaps, "default", tree("{'metadata':{'name':'a'}}"), dryRun);
    assertThat(Metadata.of(created.tree()).uid()).isNotEmpty();
    assertThat(cluster.store.revision()).isEqualTo(before);
    assertThat(registry.find(configMaps, named("a"))).isEmpty();
  }

  @Test
  void theStatusIsWrittenOnItsOwnPathOnly() {
    cluster.pod("web", "");
    JsonObject pod = registry.get(pods, named("web")).tree();
    JsonObject running = pod.with("status", tree("{'phase':'Running'}"));

    registry.update(pods, named("web"), running, WriteOptions.DEFAULT);
    assertThat(at(registry.get(pods, named("web")).tree(), "status.phase")).isEqualTo("Pending");

    JsonObject both = running.with("spec", JsonObject.EMPTY);
    registry.update(pods, named("web"), both, WriteOptions.DEFAULT.subresource("status"));
    JsonObject after = registry.get(pods, named("web")).tree();
    assertThat(at(after, "status.phase")).isEqualTo("Running");
    assertThat(after.object("spec")).isEqualTo(pod.object("spec"));
  }

  @Test
  void theGenerationCountsChangesOfTheSpecificationOnly() {
    cluster.pod("web", "");
    JsonObject labelled =
        Metadata.update(
            registry.get(pods, named("web")).tree(), m -> m.with("labels", tree("{'a':'b'}")));
    registry.update(pods, named("web"), labelled, WriteOptions.DEFAULT);
    assertThat(generation()).isEqualTo(1);

    registry.modify(
        pods,
        named("web"),
        WriteOptions.DEFAULT,
        pod -> tree(JsonWriter.toText(pod).replace("\"image\":\"i\"", "\"image\":\"j\"")));
    assertThat(generation()).isEqualTo(2);
  }

  private long generation() {
    return Metadata.of(registry.get(pods, named("web")).tree()).generation();
  }

  @Test
  void nobodyChangesWhatTheServerSays() {
    JsonObject created = cluster.configMap("a").tree();
    JsonObject forged =
        Metadata.update(
            created,
            m -> m.with("creationTimestamp", "2000-01-01T00:00:00Z").with("generation", 7L));
    registry.update(configMaps, named("a"), forged, WriteOptions.DEFAULT);
    assertThat(registry.get(configMaps, named("a")).tree()).isEqualTo(created);

    JsonObject renamed = Metadata.update(created, m -> m.with("name", "b"));
    Status status =
        refused(
            () -> registry.modify(configMaps, named("a"), WriteOptions.DEFAULT, old -> renamed));
    assertThat(status.message())
        .isEqualTo(
            "ConfigMap \"a\" is invalid: metadata.name: Invalid value: \"b\": field is immutable"
                .replace("\"a\" is", "\"b\" is"));
  }

  @Test
  void nobodyDeletesByAnUpdate() {
    JsonObject created = cluster.configMap("a").tree();
    JsonObject forged =
        Metadata.update(
            created,
            m ->
                m.with("deletionTimestamp", "2000-01-01T00:00:00Z")
                    .with("deletionGracePeriodSeconds", 3L));
    Status status =
        refused(() -> registry.update(configMaps, named("a"), forged, WriteOptions.DEFAULT));
    assertThat(status.message())
        .contains(
            "metadata.deletionTimestamp: Invalid value: \"2000-01-01T00:00:00Z\": field is"
                + " immutable",
            "metadata.deletionGracePeriodSeconds: Invalid value: 3: field is immutable");
  }

  @Test
  void aGenerationThatNobodyCountsIsItsWriters() {
    JsonObject created = cluster.configMap("a").tree();
    JsonObject other =
        Metadata.update(
            created,
            m ->
                m.without("uid")
                    .without("resourceVersion")
                    .with("name", "b")
                    .with("generation", 7L));
    assertThat(
            Metadata.of(registry.create(configMaps, "default", other, WriteOptions.DEFAULT).tree())
                .generation())
        .isEqualTo(7);
  }

  /**
   * As in Kubernetes, since the annotations of a deployment are copied; its status' path is none.
   */
  @Test
  void annotationsOfADeploymentAreANewGeneration() {
    Resource deployments = cluster.resource("apps", "deployments");
    String spec =
        "{'metadata':{'name':'d','namespace':'default'},'spec':{'selector':{'matchLabels':{'a':'b'}},"
            + "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}";
    registry.create(deployments, "default", tree(spec), WriteOptions.DEFAULT);
    assertThat(generation(deployments, WriteOptions.DEFAULT, "annotations")).isEqualTo(2);
    assertThat(generation(deployments, WriteOptions.DEFAULT.subresource("status"), "annotations"))
        .isEqualTo(2);
    assertThat(generation(deployments, WriteOptions.DEFAULT, "labels")).isEqualTo(2);
  }

  /** The generation of the deployment once something more stands in its metadata. */
  private long generation(Resource deployments, WriteOptions options, String field) {
    Stored changed =
        registry.modify(
            deployments,
            named("d"),
            options,
            d ->
                Metadata.update(
                    d,
                    m -> m.with(field, m.object(field).with("k" + m.object(field).size(), "v"))));
    return Metadata.of(changed.tree()).generation();
  }

  /** An update says by its UID which object it means; a patch tries to change it. */
  @Test
  void aPatchDoesNotChangeTheUid() {
    cluster.configMap("a");
    assertThat(
            refused(() ->
                    registry.modify(
                        configMaps,
                        named("a"),
                        WriteOptions.DEFAULT.patch(),
                        o -> Metadata.update(o, m -> m.with("uid", "x"))))
                .message())
        .contains("metadata.uid: Invalid value: \"x\": field is immutable");
    assertThat(
            refused(() ->
                    registry.modify(
                        configMaps,
                        named("a"),
                        WriteOptions.DEFAULT,
                        o -> Metadata.update(o, m -> m.with("uid", "x"))))
                .code())
        .isEqualTo(409);
  }

  @Test
  void aNameThatWillBeFreeIsToldOf() {
    cluster.configMap("a");
    registry.modify(
        configMaps,
        named("a"),
        WriteOptions.DEFAULT,
        o -> Metadata.update(o, m -> m.with("finalizers", JsonArray.of("a.b/c"))));
    registry.delete(configMaps, named("a"), DeletionOptions.DEFAULT);
    assertThat(refused(() -> cluster.configMap("a")).message())
        .isEqualTo("object is being deleted: configmaps \"a\" already exists");
    assertThat(
            refused(() ->
                    registry.modify(
                        configMaps,
                        named("a"),
                        WriteOptions.DEFAULT,
                        o ->
                            Metadata.update(
                                o, m -> m.with("finalizers", JsonArray.of("a.b/c", "d.e/f")))))
                .message())
        .contains("found new finalizers []string{\"d.e/f\"}");
  }

  @Test
  void allThatIsWrongIsSaidAtOnce() {
    Status status =
        refused(() ->
            cluster.create(
                "configmaps", "{'metadata':{'name':'A_b','labels':{'x y':'1'}},'data':{'/':''}}"));
    assertThat(status.code()).isEqualTo(422);
    assertThat(status.message())
        .startsWith("ConfigMap \"A_b\" is invalid: [metadata.name: Invalid");
    assertThat(status.details()).isNotNull();
    List<String> fields =
        Objects.requireNonNull(status.details()).causes().stream()
            .map(Status.Cause::field)
            .toList();
    assertThat(fields).containsExactly("metadata.name", "metadata.labels", "data[/]");
  }

  @Test
  void refusesWhatIsTooLargeToBeStored() {
    JsonObject large = withData("large", "A".repeat(1_572_864));
    Status status =
        refused(() -> registry.create(revisions, "default", large, WriteOptions.DEFAULT));
    assertThat(status.code()).isEqualTo(413);
    assertThat(status.reason()).isEqualTo("RequestEntityTooLarge");
    assertThat(status.message())
        .startsWith("Request entity too large: the object has at least 15")
        .endsWith(" bytes, limit is 1572864");

    Resource templates = registry.catalog().get("", "v1", "podtemplates");
    registry.create(templates, "default", withArgument("A"), WriteOptions.DEFAULT);
    JsonObject grown = withArgument("A".repeat(1_572_864));
    assertThat(
            refused(() -> registry.update(templates, named("large"), grown, WriteOptions.DEFAULT))
                .code())
        .isEqualTo(413);
  }

  /** A template of pods, which may be any. */
  private static JsonObject withArgument(String argument) {
    JsonObject container =
        JsonObject.of("name", "c")
            .with("image", "i")
            .with("imagePullPolicy", "Always")
            .with("terminationMessagePolicy", "File")
            .with("args", JsonArray.of(argument));
    return tree("{'metadata':{'name':'large'},'template':{'metadata':{'labels':{'a':'b'}}}}")
        .update(
            "template",
            template ->
                template.with("spec", JsonObject.of("containers", JsonArray.of(container))));
  }

  @Test
  void managedFieldsGoBeforeAnObjectIsTooLarge() {
    JsonObject.Builder annotations = new JsonObject.Builder();
    for (int i = 0; i < 9_000; i++) {
      annotations.put("annotation-with-a-name-" + i, "");
    }
    JsonObject large =
        Metadata.update(
            withData("large", "A".repeat(1_200_000)),
            metadata -> metadata.with("annotations", annotations.build()));
    WriteOptions tracked = new WriteOptions(false, "", "somebody", WriteOptions.DEFAULT.user());
    JsonObject stored = registry.create(revisions, "default", large, tracked).tree();
    assertThat(stored.object("metadata").has("managedFields")).isFalse();
    assertThat(stored.object("metadata").object("annotations").size()).isEqualTo(9_000);
  }

  private static JsonObject withData(String name, String text) {
    return tree("{'metadata':{'name':'" + name + "'},'revision':1}")
        .with("data", JsonObject.of("a", text));
  }
}
