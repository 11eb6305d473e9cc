package dev.berth.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.log.CapturedLog;
import dev.berth.log.LogFormat;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** A line for each write: what, which object, how it ended; and never what the object holds. */
class LoggedApiTest {
  private static final ObjectName WEB = new ObjectName("default", "web");

  private ApiResult answer = new ApiResult.Done(JsonObject.EMPTY);

  private final Api api =
      new LoggedApi(
          new Api() {
            @Override
            public ApiResult send(ApiRequest request) {
              return answer;
            }

            @Override
            public ListResult list(ListRequest request) {
              throw new AssertionError("nothing is listed");
            }

            @Override
            public ApiWatch watch(WatchRequest request, Runnable onReady) {
              throw new AssertionError("nothing is watched");
            }
          },
          "job-controller");

  private static JsonObject secret() {
    return JsonReader.object(
        "{\"metadata\":{\"namespace\":\"default\",\"name\":\"web\"},\"data\":{\"p\":\"hidden\"}}"
            .getBytes(StandardCharsets.UTF_8),
        JsonLimits.REQUEST);
  }

  @Test
  void writesAreLoggedAndReadsAreNot() {
    try (CapturedLog log = CapturedLog.from(Level.DEBUG)) {
      api.get(Resources.PODS, WEB);
      api.create(Resources.PODS, secret());
      api.create(Target.of(Resources.PODS, WEB).subresource("binding"), JsonObject.EMPTY);
      api.updateStatus(Resources.PODS, secret());
      api.patch(Target.of(Resources.NODES, ObjectName.of("n1")), PatchType.MERGE, secret());
      api.delete(Resources.PODS, WEB);
      assertThat(log.text(LogFormat.TEXT).lines().map(line -> line.replaceFirst(".*DEBUG ", "")))
          .containsExactly(
              "job-controller            created resource=pods object=default/web",
              "job-controller            created resource=pods/binding object=default/web",
              "job-controller            updated resource=pods/status object=default/web",
              "job-controller            patched resource=nodes object=n1",
              "job-controller            deleted resource=pods object=default/web");
      assertThat(log.text(LogFormat.JSON)).doesNotContain("hidden");
    }
  }

  @Test
  void aRefusalIsLoggedByItsReasonSinceItsMessageMayRepeatWhatWasSent() {
    try (CapturedLog log = CapturedLog.from(Level.DEBUG)) {
      answer =
          new ApiResult.Refused(
              ApiError.of(
                  422,
                  JsonObject.of("reason", "Invalid").with("message", "data[p]: Invalid: hidden")));
      api.create(Resources.PODS, secret());
      answer = new ApiResult.Unreachable("nobody listens there");
      api.delete(Resources.PODS, WEB);
      assertThat(log.text(LogFormat.TEXT))
          .contains("not created resource=pods object=default/web code=422 reason=Invalid")
          .contains("not deleted, as far as is known", "reason=\"nobody listens there\"")
          .doesNotContain("hidden");
    }
  }

  @Test
  void renewingALeaseIsForThoseWhoTrace() {
    try (CapturedLog log = CapturedLog.from(Level.DEBUG)) {
      api.patch(Target.of(Resources.LEASES, WEB), PatchType.MERGE, JsonObject.EMPTY);
      assertThat(log.lines()).isEmpty();
    }
    try (CapturedLog log = CapturedLog.from(Level.TRACE)) {
      api.patch(Target.of(Resources.LEASES, WEB), PatchType.MERGE, JsonObject.EMPTY);
      assertThat(log.messages()).containsExactly("patched");
    }
  }
}
