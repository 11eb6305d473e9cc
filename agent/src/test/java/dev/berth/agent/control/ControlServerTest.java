package dev.berth.agent.control;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.tree.JsonObject;
import dev.berth.policy.shutdown.ShutdownPeriods;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands reach an agent through a real socket. */
final class ControlServerTest {
  @TempDir private Path root;
  private final List<String> asked = new ArrayList<>();

  private final class Agent implements ControlServer.Requests {
    @Override
    public JsonObject status() {
      return tree("{'node':'n1'}");
    }

    @Override
    public void drain(Optional<ShutdownPeriods> periods, Consumer<String> progress) {
      asked.add("drain " + periods.map(ShutdownPeriods::total));
      progress.accept("one");
      progress.accept("two");
    }

    @Override
    public void stop() {
      asked.add("stop");
    }
  }

  @Test
  void itSaysHowItStandsAndIsDrainedBeforeItStops() throws IOException {
    try (ControlServer _ = ControlServer.start(root, new Agent()).orElseThrow()) {
      assertThat(Files.getPosixFilePermissions(ControlLines.socket(root)))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
      assertThat(ControlClient.status(root)).contains(tree("{'node':'n1'}"));
      List<String> said = new ArrayList<>();
      ShutdownPeriods periods = ShutdownPeriods.of(Duration.ofSeconds(30), Duration.ofSeconds(10));
      assertThat(ControlClient.drain(root, Optional.of(periods), said::add))
          .contains(tree("{'node':'n1'}"));
      assertThat(said).containsExactly("one", "two");
      assertThat(asked).containsExactly("drain Optional[PT30S]", "stop");
      ControlClient.drain(root, Optional.empty(), said::add);
      assertThat(asked).endsWith("drain Optional.empty", "stop");
    }
  }

  @Test
  void whereNoneRunsThereIsNoneAlsoAfterAKill() throws IOException {
    assertThat(ControlClient.status(root)).isEmpty();
    try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      killed.bind(UnixDomainSocketAddress.of(ControlLines.socket(root)));
    }
    assertThat(ControlLines.socket(root)).exists();
    assertThat(ControlClient.status(root)).isEmpty();
    ControlServer.start(root, new Agent()).orElseThrow().close();
    assertThat(ControlLines.socket(root)).doesNotExist();
  }

  @Test
  void oneThatEndsBeforeItAnswersIsSaid() throws IOException {
    try (ServerSocketChannel dying = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dying.bind(UnixDomainSocketAddress.of(ControlLines.socket(root)));
      Thread.ofVirtual()
          .start(() -> {
            try {
              var client = dying.accept();
              new ControlLines(client).read();
              client.close();
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
      assertThatThrownBy(() -> ControlClient.status(root))
          .hasMessage("the agent has ended before it answered; its log may say why");
    }
  }
}
