package dev.berth.apiserver.encryption;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.config.ConfigException;
import dev.berth.store.embedded.ValueTransformer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EncryptionConfigurationTest {
  private static final String KEY = "MDEyMzQ1Njc4OWFiY2RlZg==";
  private static final String LONG_KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

  @TempDir Path directory;

  @Test
  void aResourcesOwnProvidersComeBeforeItsGroupsAndThoseBeforeEverybodys() {
    ValueTransformer encryption =
        read(
            entry("events", "{identity: {}}"),
            entry("secrets", gcm("own")),
            entry("deployments.apps", gcm("deployments")),
            entry("'*.apps'", gcm("apps")),
            entry("'*.'", gcm("core")),
            entry("'*.*'", gcm("rest")));

    assertThat(form(encryption, "/registry/events/default/a")).isEqualTo("plain");
    assertThat(form(encryption, "/registry/secrets/default/a")).isEqualTo("k8s:enc:aesgcm:v1:own:");
    assertThat(form(encryption, "/registry/deployments.apps/default/a"))
        .isEqualTo("k8s:enc:aesgcm:v1:deployments:");
    assertThat(form(encryption, "/registry/daemonsets.apps/default/a"))
        .isEqualTo("k8s:enc:aesgcm:v1:apps:");
    assertThat(form(encryption, "/registry/pods/default/a")).isEqualTo("k8s:enc:aesgcm:v1:core:");
    assertThat(form(encryption, "/registry/leases.coordination.k8s.io/default/a"))
        .isEqualTo("k8s:enc:aesgcm:v1:rest:");
  }

  @Test
  void nothingElseIsEncrypted() {
    ValueTransformer encryption = read(entry("secrets, configmaps", gcm("one")));
    assertThat(form(encryption, "/registry/configmaps/default/a"))
        .isEqualTo("k8s:enc:aesgcm:v1:one:");
    assertThat(form(encryption, "/registry/pods/default/a")).isEqualTo("plain");
    assertThat(form(encryption, "/registry/secrets.example.com/default/a")).isEqualTo("plain");
  }

  @Test
  void theFirstKeyWritesAndAllRead() {
    String secretbox = "{secretbox: {keys: [{name: a, secret: %s}]}}".formatted(LONG_KEY);
    ValueTransformer one = read(entry("secrets", gcm("a")));
    ValueTransformer both = read(entry("secrets", secretbox + ", " + gcm("a")));
    String key = "/registry/secrets/default/a";
    byte[] value = "{\"a\":1}".getBytes(UTF_8);

    byte[] stored = one.form(key).orElseThrow().write(key, value);

    assertThat(form(both, key)).isEqualTo("k8s:enc:secretbox:v1:a:");
    assertThat(both.read(key, stored))
        .isInstanceOfSatisfying(
            ValueTransformer.Reading.Value.class,
            read -> {
              assertThat(read.value()).isEqualTo(value);
              assertThat(read.form()).isEqualTo(one.form(key));
            });
    assertThat(read(entry("secrets", secretbox)).read(key, stored))
        .isEqualTo(
            new ValueTransformer.Reading.Unreadable(
                "it is encrypted as k8s:enc:aesgcm:v1:a, and no provider of its resource has a key"
                    + " of that name"));
    assertThat(both.read(key, value))
        .isEqualTo(
            new ValueTransformer.Reading.Unreadable(
                "it is not encrypted, and its resource's providers do not include identity"));
  }

  /** Two keys of one name, as while a secret is replaced: they are not the same form. */
  @Test
  void keysOfOneNameAreToldApartByTheirSecrets() {
    String other = "{aesgcm: {keys: [{name: a, secret: %s}]}}".formatted(LONG_KEY);
    String key = "/registry/secrets/default/a";
    byte[] value = "{\"a\":1}".getBytes(UTF_8);
    byte[] stored = read(entry("secrets", gcm("a"))).form(key).orElseThrow().write(key, value);

    ValueTransformer both = read(entry("secrets", other + ", " + gcm("a")));

    assertThat(both.read(key, stored))
        .isInstanceOfSatisfying(
            ValueTransformer.Reading.Value.class,
            read -> {
              assertThat(read.value()).isEqualTo(value);
              assertThat(read.form()).isNotEqualTo(both.form(key));
            });
    assertThat(read(entry("secrets", other)).read(key, stored))
        .isEqualTo(
            new ValueTransformer.Reading.Unreadable(
                "k8s:enc:aesgcm:v1:a: it was encrypted with another key or for another object, or"
                    + " was changed"));
  }

  static Stream<Arguments> mistakes() {
    String identity = "{identity: {}}";
    return Stream.of(
        mistake("resources: []", "resources: Required value: at least one resources is required"),
        mistake(
            "resources: [{}]",
            "resources[0].resources: Required value: at least one resources[0].resources is"
                + " required",
            "resources[0].providers: Required value: at least one resources[0].providers is"
                + " required"),
        mistake(
            entries(entry("secrets, '*.'", identity)),
            "resources[0].resources: Invalid value: [\"secrets\",\"*.\"]: using overlapping resources"
                + " such as 'secrets' and '*.' in the same resource list is not allowed as they will"
                + " be masked"),
        mistake(
            entries(entry("'*.*', pods", identity)),
            "resources[0].resources: Invalid value: [\"*.*\",\"pods\"]: using overlapping"),
        mistake(
            entries(entry("secrets, secrets", identity)),
            "resources[0].resources: Invalid value: [\"secrets\",\"secrets\"]: the same resource cannot"
                + " be specified multiple times"),
        mistake(
            entries(entry("'*'", identity)),
            "resources[0].resources[0]: Invalid value: \"*\": use '*.' to encrypt all the resources"
                + " from core API group or *.* to encrypt all resources"),
        mistake(
            entries(entry("a, Secrets", identity)),
            "resources[0].resources[1]: Invalid value: \"Secrets\": resource name should not contain"
                + " capital letters"),
        mistake(
            entries(entry("serviceipallocations", identity)),
            "resources which do not have REST API/s cannot be encrypted"),
        mistake(
            entries(entry("events.events.k8s.io", identity)),
            "Use 'events' instead in the config file"),
        mistake(
            entries(entry("a.extensions", identity)),
            "'extensions' group has been removed and cannot be used for encryption"),
        mistake(
            entries(entry("'secrets.*'", identity)),
            "encrypting the same resource across groups is not supported"),
        mistake(
            entries(entry("'*.apps'", identity), entry("deployments.apps", identity)),
            "resources[1].resources: Invalid value: \"deployments.apps\": resource"
                + " \"deployments.apps\" is masked by earlier rule \"*.apps\""),
        mistake(
            entries(entry("'*.*'", identity), entry("secrets", identity)),
            "resource \"secrets\" is masked by earlier rule \"*.*\""),
        mistake(
            entries(entry("secrets", "{}")),
            "resources[0].providers[0]: Required value: provider does not contain any of the expected"
                + " providers: KMS, AESGCM, AESCBC, Secretbox, Identity"),
        mistake(
            entries(entry("secrets", "{identity: {}, aesgcm: {}}")),
            "resources[0].providers[0]: Forbidden: more than one provider specified in a single"
                + " element, should split into different list elements"),
        mistake(
            entries(entry("secrets", "{kms: {name: a, endpoint: 'unix:///a'}}")),
            "resources[0].providers[0].kms: Forbidden: KMS providers are not supported: use aesgcm or"
                + " secretbox, whose keys are in this file"),
        mistake(
            entries(entry("secrets", "{aescbc: {keys: [{name: a, secret: %s}]}}".formatted(KEY))),
            "resources[0].providers[0].aescbc: Forbidden: aescbc is only read, since it does not"
                + " notice changes: put aesgcm or secretbox first"),
        mistake(
            entries(entry("secrets", "{aesgcm: {keys: []}}")),
            "resources[0].providers[0].aesgcm.keys: Required value: at least one keys is required"),
        mistake(
            entries(entry("secrets", "{aesgcm: {keys: [{}]}}")),
            "resources[0].providers[0].aesgcm.keys[0].name: Required value: name is a mandatory field"
                + " for a key",
            "resources[0].providers[0].aesgcm.keys[0].secret: Required value: secret is a mandatory"
                + " field for a key"),
        mistake(
            entries(entry("secrets", "{aesgcm: {keys: [{name: a, secret: '%%'}]}}")),
            "resources[0].providers[0].aesgcm.keys[0].secret: Invalid value: \"REDACTED\": secrets must"
                + " be base64 encoded"),
        mistake(
            entries(entry("secrets", "{aesgcm: {keys: [{name: a, secret: c2VjcmV0}]}}")),
            "resources[0].providers[0].aesgcm.keys[0].secret: Invalid value: \"REDACTED\": secret is not"
                + " of the expected length, got 6, expected one of [16 24 32]"),
        mistake(
            entries(
                entry("secrets", "{secretbox: {keys: [{name: a, secret: %s}]}}".formatted(KEY))),
            "resources[0].providers[0].secretbox.keys[0].secret: Invalid value: \"REDACTED\": secret is"
                + " not of the expected length, got 16, expected one of [32]"),
        mistake(
            entries(entry("secrets", "{rot13: {}}")),
            "resources[0].providers[0].rot13: Forbidden: unknown field"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void mistakesAreNamedWithTheirPlace(String text, List<String> messages) {
    assertThatThrownBy(() -> readText(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll(messages.toArray(String[]::new))
        .hasMessageContaining("is not a valid EncryptionConfiguration:")
        .hasMessageNotContaining("c2VjcmV0");
  }

  @Test
  void aFileOfAnotherKindIsRefused() {
    assertThatThrownBy(() -> EncryptionConfiguration.read(write("apiVersion: v1\nkind: Secret\n")))
        .hasMessageContainingAll(
            "apiVersion: Unsupported value: \"v1\": supported values:"
                + " \"apiserver.config.k8s.io/v1\"",
            "kind: Unsupported value: \"Secret\": supported values: \"EncryptionConfiguration\"");
    assertThatThrownBy(() -> EncryptionConfiguration.read(directory.resolve("none")))
        .hasMessage("There is no file " + directory.resolve("none") + ".");
  }

  private static Arguments mistake(String text, String... messages) {
    return Arguments.of(text, List.of(messages));
  }

  private static String gcm(String name) {
    return "{aesgcm: {keys: [{name: %s, secret: %s}]}}".formatted(name, KEY);
  }

  private static String entry(String resources, String providers) {
    return "- resources: [%s]\n  providers: [%s]\n".formatted(resources, providers);
  }

  private static String entries(String... entries) {
    return "resources:\n" + String.join("", entries);
  }

  private ValueTransformer read(String... entries) {
    return readText(entries(entries));
  }

  private ValueTransformer readText(String text) {
    return EncryptionConfiguration.read(
        write("apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\n" + text));
  }

  private Path write(String text) {
    try {
      return Files.writeString(directory.resolve("encryption.yaml"), text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String form(ValueTransformer encryption, String key) {
    return encryption.form(key).map(Object::toString).orElse("plain");
  }
}
