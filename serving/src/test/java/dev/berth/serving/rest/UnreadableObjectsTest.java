package dev.berth.serving.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.access.AccessControl;
import dev.berth.access.Authenticator;
import dev.berth.access.BuiltInAuthorizer;
import dev.berth.model.user.User;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.serving.fixture.FakeExchange;
import dev.berth.serving.fixture.Requests;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An object whose key is missing is named by whatever request meets it, in full and in time. */
class UnreadableObjectsTest {
  private static final String PATH = "/api/v1/namespaces/default/configmaps";
  private static final String NAMED =
      "unable to transform key \\\"/registry/configmaps/default/zz\\\"";

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

  @BeforeEach
  void fill() {
    for (int i = 0; i < 600; i++) {
      cluster.configMap("c" + i);
    }
    cluster.store.put(
        "/registry/configmaps/default/zz", "k8s:enc:aesgcm:v1:k:secret".getBytes(UTF_8), 0);
  }

  @AfterEach
  void close() {
    handler.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?limit=0", "?labelSelector=!a", "/zz"})
  void aReadIsRefused(String what) throws Exception {
    FakeExchange asked = new FakeExchange("GET", PATH + what);
    handler.handle(asked);
    assertThat(asked.status()).isEqualTo(500);
    assertThat(asked.answer()).contains(NAMED).doesNotContain("secret");
  }

  @Test
  void othersAreRead() throws Exception {
    FakeExchange asked = new FakeExchange("GET", PATH + "/c1");
    handler.handle(asked);
    assertThat(asked.status()).isEqualTo(200);
    FakeExchange page = new FakeExchange("GET", PATH + "?limit=10");
    handler.handle(page);
    assertThat(page.status()).isEqualTo(200);
  }

  @Test
  void aWatchEndsWithAnError() throws Exception {
    FakeExchange asked = new FakeExchange("GET", PATH + "?watch=1&resourceVersion=0");
    handler.handle(asked);
    assertThat(asked.answer().lines().toList().getLast())
        .contains("\"type\":\"ERROR\"")
        .contains(NAMED);
  }
}
