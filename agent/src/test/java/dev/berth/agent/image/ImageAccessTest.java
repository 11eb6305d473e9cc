package dev.berth.agent.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.FakeObjects;
import dev.berth.agent.fixture.FakeRuntime;
import dev.berth.agent.runtime.Image;
import dev.berth.agent.runtime.PodId;
import dev.berth.model.fixture.Fixtures;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.image.ImageVerification;
import dev.berth.policy.image.PullSecret;
import dev.berth.policy.image.RegistryLogin;
import dev.berth.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was pulled with what is kept in a kubelet's files, whenever the agent ends. */
class ImageAccessTest {
  private static final String NAME = "registry.example/app:1";
  private static final RegistryLogin LOGIN =
      new RegistryLogin("u", "p", Optional.of(new PullSecret("7", "default", "login", "h")));

  @TempDir private Path root;
  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.loop(), failure.cause());
          });
  private final FakeRuntime runtime = new FakeRuntime(time);
  private ImageAccess access;

  @BeforeEach
  void start() {
    runtime.registry(NAME);
    access = new ImageAccess(time, runtime, ImageVerification.DEFAULT, root);
  }

  private Image image() {
    return runtime.findImage(NAME).orElseThrow();
  }

  private boolean mayUse() {
    JsonObject pod = Fixtures.tree("{'spec':{}}");
    return access.mayUse(
        new ImageAccess.Wanted(new PodId("default", "web", "u"), pod, NAME, new FakeObjects()),
        image());
  }

  private List<Path> files(String directory) throws IOException {
    try (Stream<Path> files = Files.list(root.resolve("image_manager").resolve(directory))) {
      return files.toList();
    }
  }

  @Test
  void aRecordIsAKubelets() throws IOException {
    access.begin(NAME);
    assertThat(files("pulling")).hasSize(1);
    runtime.bring(NAME);
    access.succeeded(NAME, image().id(), Optional.of(LOGIN));
    assertThat(files("pulling")).isEmpty();
    Path file = files("pulled").getFirst();
    // echo -n fake:registry.example/app:1 | sha256sum
    assertThat(file.getFileName().toString())
        .isEqualTo("sha256-6e93501e8be5756df2f3d41368a32deb53dee2ba23623f7a6685c41497bc30ab");
    JsonObject record = JsonReader.object(Files.readAllBytes(file), JsonLimits.TRUSTED);
    assertThat(record.without("lastUpdatedTime"))
        .isEqualTo(
            Fixtures.tree(
                "{'kind':'ImagePulledRecord','apiVersion':'kubelet.config.k8s.io/v1beta1',"
                    + "'imageRef':'fake:registry.example/app:1','credentialMapping':"
                    + "{'registry.example/app':{'kubernetesSecrets':[{'uid':'7',"
                    + "'namespace':'default','name':'login','credentialHash':'h'}]}}}"));
    assertThat(mayUse()).isFalse();
  }

  @Test
  void anImageThatSomebodyElseBroughtIsForAll() {
    runtime.bring(NAME);
    assertThat(mayUse()).isTrue();
  }

  @Test
  void anAgentThatDiedWhileItPulledLeavesNothingForAll() throws IOException {
    access.begin(NAME);
    runtime.bring(NAME);
    assertThat(mayUse()).as("while it is pulled").isFalse();
    start();
    assertThat(mayUse()).isFalse();
    assertThat(files("pulling")).isEmpty();
    assertThat(files("pulled")).hasSize(1);
    access.begin(NAME);
    access.succeeded(NAME, image().id(), Optional.empty());
    start();
    assertThat(mayUse()).isTrue();
  }

  @Test
  void aPullThatFailedLeavesNothing() throws IOException {
    access.begin(NAME);
    access.begin(NAME);
    access.ended(NAME);
    assertThat(files("pulling")).as("another one is under way").hasSize(1);
    access.ended(NAME);
    assertThat(files("pulling")).isEmpty();
  }

  @Test
  void aDamagedRecordLetsNobodyIn() throws IOException {
    access.begin(NAME);
    runtime.bring(NAME);
    access.succeeded(NAME, image().id(), Optional.empty());
    assertThat(mayUse()).isTrue();
    Files.write(files("pulled").getFirst(), "{".getBytes(UTF_8));
    assertThat(mayUse()).isFalse();
  }

  @Test
  void recordsOfImagesThatAreGoneGo() throws IOException {
    access.begin(NAME);
    runtime.bring(NAME);
    access.succeeded(NAME, image().id(), Optional.empty());
    access.retain(Set.of(), time.now());
    assertThat(files("pulled")).as("it is younger than the look").hasSize(1);
    time.advance(Duration.ofSeconds(5));
    access.retain(Set.of(image().id()), time.now());
    assertThat(files("pulled")).hasSize(1);
    access.retain(Set.of(), time.now());
    assertThat(files("pulled")).isEmpty();
  }

  private List<RegistryLogin> logins() {
    JsonObject pod = Fixtures.tree("{'spec':{}}");
    return access
        .logins(
            new ImageAccess.Wanted(new PodId("default", "web", "u"), pod, NAME, new FakeObjects()))
        .logins();
  }

  @Test
  void aNodeHasLoginsForAllOfItsPods() throws IOException {
    assertThat(logins()).isEmpty();
    Files.writeString(
        root.resolve(".dockercfg"),
        "{\"registry.example\":{\"username\":\"older\",\"password\":\"p\"}}");
    assertThat(logins()).containsExactly(new RegistryLogin("older", "p"));
    Files.writeString(root.resolve("config.json"), "{\"auths\":");
    assertThat(logins()).as("a damaged file is left out").hasSize(1);
    Files.writeString(
        root.resolve("config.json"),
        "{\"auths\":{\"https://registry.example/v2/\":{\"auth\":\"bm9kZTpwYXNz\"},"
            + "\"other.example\":{\"auth\":\"bm9kZTpwYXNz\"}}}");
    assertThat(logins()).containsExactly(new RegistryLogin("node", "pass"));

    runtime.bring(NAME);
    access.begin(NAME);
    access.succeeded(NAME, image().id(), Optional.of(logins().getFirst()));
    assertThat(mayUse()).as("what the node itself may pull is for every pod").isTrue();
  }
}
