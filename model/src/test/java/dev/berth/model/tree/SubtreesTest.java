package dev.berth.model.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SubtreesTest {
  private static JsonObject pod(String name, String image) {
    String text =
        """
        {"metadata":{"name":"%s","labels":{"app":"web"}},
         "spec":{"containers":[{"name":"c","image":"%s","ports":[{"containerPort":80}]}],"priority":1.5,
          "tolerations":[{"operator":"Exists"}],"volumes":[],"securityContext":{}}}
        """
            .formatted(name, image);
    return JsonReader.object(text.getBytes(UTF_8), JsonLimits.TRUSTED);
  }

  private static JsonObject share(JsonObject object) {
    return Subtrees.share(object, JsonObject.EMPTY);
  }

  @Test
  void objectsThatAreAlikeBecomeTheSame() {
    JsonObject first = share(pod("a", "nginx"));
    JsonObject second = share(pod("b", "nginx"));

    assertThat(second.object("spec")).isSameAs(first.object("spec"));
    assertThat(second.object("metadata").object("labels"))
        .isSameAs(first.object("metadata").object("labels"));
    assertThat(second.object("metadata").text("name")).isEqualTo("b");
  }

  @Test
  void partsThatAreAlikeBecomeTheSameInObjectsThatDiffer() {
    JsonObject first = share(pod("a", "nginx:1"));
    JsonObject second = share(pod("b", "nginx:2"));

    assertThat(second.object("spec").array("tolerations"))
        .isSameAs(first.object("spec").array("tolerations"));
    assertThat(second.object("spec").array("containers"))
        .isNotEqualTo(first.object("spec").array("containers"));
  }

  @Test
  void newObjectsThatAreAlikeShareTheirWholeSpecification() {
    JsonObject first = Subtrees.shareNew(pod("a", "httpd"));
    JsonObject second = Subtrees.shareNew(pod("b", "httpd"));

    assertThat(second.object("spec")).isSameAs(first.object("spec"));
    assertThat(second.toString()).isEqualTo(pod("b", "httpd").toString());
  }

  @Test
  void whatIsSharedIsEqualToWhatWasGiven() {
    JsonObject pod = pod("a", "nginx");
    assertThat(share(pod).toString()).isEqualTo(pod.toString());
  }

  /** They are equal, yet written as another text. */
  @Test
  void fieldsInAnotherOrderStayInTheirOrder() {
    JsonObject one = JsonObject.of("x", JsonObject.of("a", "1").with("b", "2"));
    JsonObject other = JsonObject.of("x", JsonObject.of("b", "2").with("a", "1"));
    share(one);

    assertThat(share(other).toString()).isEqualTo("{\"x\":{\"b\":\"2\",\"a\":\"1\"}}");
  }

  @Test
  void longTextsAreNotKept() {
    JsonObject first = share(JsonObject.of("data", JsonObject.of("key", "x".repeat(1_000))));
    JsonObject second = share(JsonObject.of("data", JsonObject.of("key", "x".repeat(1_000))));

    assertThat(second).isEqualTo(first);
    assertThat(second.object("data")).isNotSameAs(first.object("data"));
  }

  @Test
  void fieldsThatAnObjectHasFromBeforeAreLeftAlone() {
    JsonObject before = pod("a", "nginx:left-alone");
    JsonObject after =
        Subtrees.share(before.with("status", JsonObject.of("phase", "Running")), before);

    assertThat(after.object("spec")).isSameAs(before.object("spec"));
  }
}
