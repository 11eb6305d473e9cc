package dev.berth.agent.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.model.fixture.Fixtures;
import dev.berth.model.meta.WireTime;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ServiceAccountTokensTest {
  private static final JsonObject POD =
      Fixtures.tree(
          "{'metadata':{'namespace':'ns','name':'web','uid':'u1'},'spec':{'serviceAccountName':'robot'}}");

  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.toString(), failure.cause());
          });
  private final FakeServer server = new FakeServer();
  private final ServiceAccountTokens tokens = new ServiceAccountTokens(server, time);
  private int issued;

  @BeforeEach
  void issueTokens() {
    server.answer(request -> {
      long seconds =
          ((ApiRequest.Create) request)
              .object()
              .object("spec")
              .integer("expirationSeconds")
              .orElseThrow();
      String expires = String.valueOf(WireTime.text(time.now().plusSeconds(seconds)));
      return new ApiResult.Done(
          ((ApiRequest.Create) request)
              .object()
              .with(
                  "status",
                  Fixtures.object("token", "t" + ++issued, "expirationTimestamp", expires)));
    });
  }

  private String token() throws ObjectsUnavailable {
    return tokens.token(POD, "vault", 3600);
  }

  @Test
  void isBoundToItsPod() throws Exception {
    assertThat(token()).isEqualTo("t1");
    assertThat(server.sent())
        .singleElement()
        .isInstanceOfSatisfying(
            ApiRequest.Create.class,
            create -> {
              assertThat(create.target()).hasToString("serviceaccounts ns/robot/token");
              assertThat(create.object().object("spec"))
                  .isEqualTo(
                      Fixtures.tree(
                          "{'audiences':['vault'],'expirationSeconds':3600,'boundObjectRef':"
                              + "{'kind':'Pod','apiVersion':'v1','name':'web','uid':'u1'}}"));
            });
  }

  @Test
  void isRenewedWhenAFifthOfItsLifeIsLeft() throws Exception {
    token();
    time.advance(Duration.ofMinutes(47));
    assertThat(token()).isEqualTo("t1");
    time.advance(Duration.ofMinutes(1).plusSeconds(1));
    assertThat(token()).isEqualTo("t2");
    assertThat(token()).isEqualTo("t2");
  }

  @Test
  void aLongLivedOneIsRenewedEachDay() throws Exception {
    assertThat(tokens.token(POD, "", 31_536_000)).isEqualTo("t1");
    time.advance(Duration.ofHours(23));
    assertThat(tokens.token(POD, "", 31_536_000)).isEqualTo("t1");
    time.advance(Duration.ofHours(1).plusSeconds(1));
    assertThat(tokens.token(POD, "", 31_536_000)).isEqualTo("t2");
  }

  @Test
  void oneThatIsValidIsUsedWhileTheServerIsAway() throws Exception {
    token();
    server.setReachable(false);
    time.advance(Duration.ofMinutes(55));
    assertThat(token()).isEqualTo("t1");
    time.advance(Duration.ofMinutes(6));
    assertThatThrownBy(this::token)
        .isInstanceOf(ObjectsUnavailable.class)
        .hasMessage(
            "token of service account ns/robot expired and refresh failed: connection refused");
  }

  @Test
  void saysWhyThereIsNone() {
    server.answer(
        _ -> new ApiResult.Refused(ApiError.of(404, "serviceaccounts \"robot\" not found")));
    assertThatThrownBy(this::token)
        .isInstanceOf(ObjectsUnavailable.class)
        .hasMessage("failed to fetch token: serviceaccounts \"robot\" not found");
  }

  @Test
  void audiencesAndPodsHaveTokensOfTheirOwn() throws Exception {
    assertThat(token()).isEqualTo("t1");
    assertThat(tokens.token(POD, "", 3600)).isEqualTo("t2");
    tokens.release("another");
    assertThat(token()).isEqualTo("t1");
    tokens.release("u1");
    assertThat(token()).isEqualTo("t3");
  }
}
