package dev.berth.policy.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.core.RegistrySecret;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which login an image is pulled with. */
class RegistryLoginsTest {
  private static RegistrySecret secret(String type, String key, String content) {
    String encoded = Base64.getEncoder().encodeToString(content.replace('\'', '"').getBytes(UTF_8));
    return RegistrySecret.read(
        JsonObject.of("type", type).with("data", JsonObject.of(key, encoded)));
  }

  private static RegistrySecret newer(String content) {
    return secret("kubernetes.io/dockerconfigjson", ".dockerconfigjson", content);
  }

  @ParameterizedTest
  @CsvSource({
    "registry.example, registry.example/app, true",
    "https://registry.example, registry.example/app, true",
    "https://registry.example/v1/, registry.example/app, true",
    "https://registry.example/v2/, registry.example/app, true",
    "registry.example/team, registry.example/team/app, true",
    "registry.example/team, registry.example/other/app, false",
    "registry.example:5000, registry.example:5000/app, true",
    "registry.example:5000, registry.example/app, false",
    "registry.example, registry.example:5000/app, false",
    "*.example, registry.example/app, true",
    "*.example, a.registry.example/app, false",
    "reg*.example, registry.example/app, true",
    "https://index.docker.io/v1/, docker.io/library/nginx, true",
    "other.example, registry.example/app, false",
  })
  void aLoginIsForARegistryOrAPathInIt(String place, String repository, boolean matches) {
    RegistrySecret secret =
        newer("{'auths':{'%s':{'username':'u','password':'p'}}}".formatted(place));
    List<RegistryLogin> found = RegistryLogins.of(List.of(secret)).forRepository(repository);
    assertThat(found)
        .extracting(login -> login.username() + ":" + login.password())
        .isEqualTo(matches ? List.of("u:p") : List.of());
  }

  @Test
  void theMostSpecificIsTriedFirstAndBothKindsOfSecretsCount() {
    RegistrySecret older =
        secret(
            "kubernetes.io/dockercfg",
            ".dockercfg",
            "{'registry.example':{'auth':'%s'}}"
                .formatted(Base64.getEncoder().encodeToString("whole:a:b".getBytes(UTF_8))));
    RegistrySecret newer =
        newer("{'auths':{'registry.example/team':{'username':'team','password':'p'}}}");
    assertThat(RegistryLogins.of(List.of(older, newer)).forRepository("registry.example/team/app"))
        .extracting(login -> login.username() + ":" + login.password())
        .containsExactly("team:p", "whole:a:b");
    assertThat(new RegistryLogin("u", "secret").toString()).doesNotContain("secret");
  }

  @Test
  void aSecretThatCannotBeReadIsAnError() {
    assertThatThrownBy(() -> newer("{'auths'")).isInstanceOf(JsonException.class);
  }

  @Test
  void otherSecretsHaveNoLogins() {
    assertThat(
            RegistryLogins.of(List.of(secret("Opaque", "x", "{}")))
                .forRepository("registry.example/app"))
        .isEmpty();
  }
}
