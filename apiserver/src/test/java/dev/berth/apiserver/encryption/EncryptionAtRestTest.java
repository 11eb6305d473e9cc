package dev.berth.apiserver.encryption;

import static dev.berth.model.fixture.Fixtures.tree;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.LocalApi;
import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.store.embedded.Backup;
import dev.berth.store.embedded.EmbeddedStore;
import dev.berth.store.embedded.ValueTransformer;
import dev.berth.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server whose secrets are encrypted in its files, and through whose API nobody notices. */
class EncryptionAtRestTest {
  private static final String ONE = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
  private static final String TWO = "ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=";
  private static final String IDENTITY = "{identity: {}}";

  /** What a secret holds as it is in JSON: "open sesame" in base64. */
  private static final String HIDDEN = "b3BlbiBzZXNhbWU=";

  private static final ObjectName DOOR = new ObjectName("default", "door");

  @TempDir Path root;
  private final List<Throwable> failures = new ArrayList<>();
  private @Nullable Running running;

  /** A server over a store. */
  private record Running(EmbeddedStore store, LocalApi local, VirtualTime time) {
    Api api() {
      return local.api(User.authenticated("root", List.of(User.MASTERS)), "test");
    }
  }

  private Running running() {
    return Objects.requireNonNull(running);
  }

  private EmbeddedStore store() {
    return running().store();
  }

  private Api api() {
    return running().api();
  }

  @AfterEach
  void close() {
    stop();
    assertThat(failures).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"aesgcm", "secretbox"})
  void aSecretIsNeitherInTheFilesNorInABackup(String provider) throws IOException {
    start(provider(provider, "one", ONE) + ", " + IDENTITY);
    create("door");
    createConfigMap();
    assertThat(files()).doesNotContain(HIDDEN).contains("k8s:enc:" + provider + ":v1:one:");
    assertThat(files()).contains("motto");
    Backup.backup(root.resolve("data"), root.resolve("backup"));
    assertThat(text(root.resolve("backup")))
        .doesNotContain(HIDDEN)
        .contains("k8s:enc:" + provider + ":v1:one:");

    restart(provider(provider, "one", ONE) + ", " + IDENTITY);
    assertThat(hidden("door")).isEqualTo(HIDDEN);
    assertThat(files()).doesNotContain(HIDDEN);
  }

  @Test
  void aRestoredBackupIsReadWithTheSameKey() throws IOException {
    start(provider("aesgcm", "one", ONE));
    create("door");
    Backup.backup(root.resolve("data"), root.resolve("backup"));
    stop();
    Backup.restore(
        root.resolve("backup"), root.resolve("restored"), Instant.parse("2040-01-01T00:00:00Z"));
    open(root.resolve("restored"), provider("aesgcm", "one", ONE));
    assertThat(hidden("door")).isEqualTo(HIDDEN);
  }

  /** As "kubectl get secrets -A -o json | kubectl replace -f -" does. */
  @Test
  void writingTheSameAgainEncryptsWhatWasStoredBefore() throws IOException {
    start(IDENTITY);
    create("door");
    createConfigMap();
    assertThat(files()).contains(HIDDEN);

    restart(provider("aesgcm", "one", ONE) + ", " + IDENTITY);
    long before = store().revision();
    replaceAll();
    assertThat(store().revision()).isEqualTo(before + 1);
    replaceAll();
    assertThat(store().revision()).as("it is as it would be written").isEqualTo(before + 1);
    stop();
    assertThat(files()).doesNotContain(HIDDEN).contains("k8s:enc:aesgcm:v1:one:");
  }

  @Test
  void aKeyIsReplacedByAnother() throws IOException {
    start(provider("aesgcm", "one", ONE));
    create("door");
    restart(provider("secretbox", "two", TWO) + ", " + provider("aesgcm", "one", ONE));
    assertThat(hidden("door")).isEqualTo(HIDDEN);
    replaceAll();
    restart(provider("secretbox", "two", TWO));
    assertThat(hidden("door")).isEqualTo(HIDDEN);
    assertThat(files()).contains("k8s:enc:secretbox:v1:two:").doesNotContain("k8s:enc:aesgcm");
  }

  @Test
  void encryptionIsTurnedOffByWritingWithIdentity() throws IOException {
    start(provider("aesgcm", "one", ONE));
    create("door");
    restart(IDENTITY + ", " + provider("aesgcm", "one", ONE));
    replaceAll();
    restart(IDENTITY);
    assertThat(hidden("door")).isEqualTo(HIDDEN);
    assertThat(files()).contains(HIDDEN);
  }

  @Test
  void withoutTheKeyRequestsSayWhichObjectCannotBeReadAndAllElseGoesOn() {
    start(provider("aesgcm", "one", ONE));
    create("door");
    createConfigMap();
    restart(provider("aesgcm", "one", TWO));
    String message =
        "Internal error occurred: unable to transform key \"/registry/secrets/default/door\":"
            + " k8s:enc:aesgcm:v1:one: it was encrypted with another key or for another object, or"
            + " was changed";
    assertThat(((ApiResult.Failure) api().get(Resources.SECRETS, DOOR)).message())
        .isEqualTo(message);
    assertThat(((ApiResult.Failure) list()).message()).isEqualTo(message);
    assertThat(((ApiResult.Failure) api().delete(Resources.SECRETS, DOOR)).message())
        .isEqualTo(message);
    create("window");
    assertThat(hidden("window")).isEqualTo(HIDDEN);
    assertThat(api().get(Resources.CONFIG_MAPS, new ObjectName("default", "settings")).isDone())
        .isTrue();

    restart(provider("aesgcm", "one", ONE) + ", " + provider("aesgcm", "one", TWO));
    assertThat(hidden("door")).isEqualTo(HIDDEN);
    assertThat(hidden("window")).isEqualTo(HIDDEN);
  }

  @Test
  void withoutAConfigurationItSaysThatOneIsMissing() {
    start(provider("aesgcm", "one", ONE));
    create("door");
    stop();
    open(root.resolve("data"), ValueTransformer.NONE);
    assertThat(((ApiResult.Failure) api().get(Resources.SECRETS, DOOR)).message())
        .isEqualTo(
            "Internal error occurred: unable to transform key \"/registry/secrets/default/door\":"
                + " it is encrypted, and no encryption provider is configured");
  }

  @Test
  void aChangedFileIsUsedUnlessItLacksAKeyThatIsNeeded() throws IOException {
    String one = provider("aesgcm", "one", ONE);
    String two = provider("secretbox", "two", TWO);
    ReloadedEncryption encryption = ReloadedEncryption.of(write(one));
    open(root.resolve("data"), encryption);
    create("door");
    assertThat(reload(encryption)).isEqualTo(new ReloadedEncryption.Outcome.Unchanged());

    write(two);
    assertThat(reload(encryption))
        .isEqualTo(
            new ReloadedEncryption.Outcome.Refused(
                root.resolve("encryption.yaml")
                    + " lacks the key of /registry/secrets/default/door: add it again, or write all"
                    + " objects with the first key before it is removed"));
    write("{aesgcm: {}}");
    assertThat(reload(encryption)).isInstanceOf(ReloadedEncryption.Outcome.Refused.class);
    long before = store().revision();
    replaceAll();
    assertThat(store().revision()).as("nothing has changed").isEqualTo(before);

    write(two + ", " + one);
    assertThat(reload(encryption)).isEqualTo(new ReloadedEncryption.Outcome.Reloaded());
    replaceAll();
    assertThat(store().revision()).isEqualTo(before + 1);
    write(two);
    assertThat(reload(encryption)).isEqualTo(new ReloadedEncryption.Outcome.Reloaded());
    restart(two);
    assertThat(hidden("door")).isEqualTo(HIDDEN);
  }

  private ReloadedEncryption.Outcome reload(ReloadedEncryption encryption) {
    return encryption.reload(store()::firstUnreadable);
  }

  @Test
  void whatAescbcWroteIsRead() throws GeneralSecurityException {
    String key = "/registry/secrets/default/door";
    byte[] secret = "0123456789abcdef0123456789abcdef".getBytes(UTF_8);
    byte[] start = new byte[16];
    Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(secret, "AES"), new IvParameterSpec(start));
    byte[] value =
        ("{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"door\",\"namespace\":"
                + "\"default\",\"uid\":\"u\"},\"data\":{\"key\":\""
                + HIDDEN
                + "\"},\"type\":\"Opaque\"}")
            .getBytes(UTF_8);
    byte[] blocks = cipher.doFinal(value);
    String stored =
        "k8s:enc:aescbc:v1:old:" + new String(start, ISO_8859_1) + new String(blocks, ISO_8859_1);
    try (EmbeddedStore raw =
        EmbeddedStore.open(root.resolve("data"), EmbeddedStore.Options.DEFAULT)) {
      raw.put(key, stored.getBytes(ISO_8859_1), 0);
    }

    start(provider("secretbox", "new", TWO) + ", " + provider("aescbc", "old", ONE));
    assertThat(hidden("door")).isEqualTo(HIDDEN);
    replaceAll();
    restart(provider("secretbox", "new", TWO));
    assertThat(hidden("door")).isEqualTo(HIDDEN);
  }

  private void start(String providers) {
    open(root.resolve("data"), providers);
  }

  private void restart(String providers) {
    stop();
    start(providers);
  }

  private void open(Path directory, String providers) {
    open(directory, EncryptionConfiguration.read(write(providers)));
  }

  private Path write(String providers) {
    try {
      return Files.writeString(
          root.resolve("encryption.yaml"),
          """
          apiVersion: apiserver.config.k8s.io/v1
          kind: EncryptionConfiguration
          resources:
          - resources: [secrets]
            providers: [%s]
          """
              .formatted(providers));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void open(Path directory, ValueTransformer encryption) {
    EmbeddedStore store = EmbeddedStore.open(directory, EmbeddedStore.Options.DEFAULT, encryption);
    VirtualTime time = new VirtualTime(1, failure -> failures.add(failure.cause()));
    LocalApi local = LocalApi.open(store, time, (method, path, cause) -> failures.add(cause));
    running = new Running(store, local, time);
  }

  private void stop() {
    if (running != null) {
      running.local().close();
      running.store().close();
      running = null;
    }
  }

  private static String provider(String kind, String name, String secret) {
    return "{%s: {keys: [{name: %s, secret: %s}]}}".formatted(kind, name, secret);
  }

  private void create(String name) {
    done(
        api()
            .create(
                Resources.SECRETS,
                tree(
                    "{'metadata':{'name':'%s','namespace':'default'},'data':{'key':'%s'}}"
                        .formatted(name, HIDDEN))));
  }

  private void createConfigMap() {
    done(
        api()
            .create(
                Resources.CONFIG_MAPS,
                tree(
                    "{'metadata':{'name':'settings','namespace':'default'},"
                        + "'data':{'motto':'none'}}")));
  }

  private void replaceAll() {
    List<JsonObject> secrets = new ArrayList<>();
    if (list() instanceof ListResult.Page page) {
      secrets.addAll(page.items());
    }
    assertThat(secrets).isNotEmpty();
    secrets.forEach(secret -> done(api().update(Resources.SECRETS, secret)));
  }

  private ListResult list() {
    return api().list(ListRequest.of(Resources.SECRETS));
  }

  private String hidden(String name) {
    return done(api().get(Resources.SECRETS, new ObjectName("default", name)))
        .object("data")
        .text("key", "");
  }

  private static JsonObject done(ApiResult result) {
    return switch (result) {
      case ApiResult.Done(JsonObject object) -> object;
      case ApiResult.Failure why -> throw new AssertionError(why.message());
    };
  }

  /** All bytes of the data directory's files, as characters. */
  private String files() throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.list(root.resolve("data"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.append(text(file));
      }
    }
    return all.toString();
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, ISO_8859_1);
  }
}
