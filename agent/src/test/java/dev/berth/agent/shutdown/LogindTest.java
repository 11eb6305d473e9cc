package dev.berth.agent.shutdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.dbus.BusErrorException;
import dev.berth.agent.fixture.PrivateLogind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** N13: the real logind, over D-Bus. Needs root. */
final class LogindTest {
  private static final long PATIENCE_SECONDS = 60;

  private final Heard heard = new Heard();

  private static final class Heard implements LoginManager.Listener {
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    @Override
    public void preparing(boolean shutsDown) {
      events.add("preparing " + shutsDown);
    }

    @Override
    public void restarted() {
      events.add("restarted");
    }

    @Override
    public void lost(String why) {
      events.add("lost");
    }

    String next() throws InterruptedException {
      return String.valueOf(events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }
  }

  @Test
  void aLockDelaysTheShutdownUntilItIsReleasedAndACancelledOneIsHeardOf(@TempDir Path folder)
      throws IOException, InterruptedException {
    try (PrivateLogind machine = new PrivateLogind(folder);
        LoginManager logind = Logind.connect(machine.address(), machine.configuration(), heard)) {
      assertThat(logind.longestDelay()).isEqualTo(Duration.ofSeconds(5));
      assertThat(logind.isPreparing()).isFalse();
      assertThat(logind.inhibitors()).isEmpty();

      logind.raiseDelay(Duration.ofMillis(89_500));
      while (logind.longestDelay().compareTo(Duration.ofSeconds(90)) < 0) {
        Thread.onSpinWait();
      }
      assertThat(Files.readString(machine.configuration().resolve("99-kubelet.conf")))
          .endsWith("[Login]\nInhibitDelayMaxSec=90\n");

      LoginManager.Lock lock = logind.inhibit();
      assertThat(logind.inhibitors())
          .containsExactly(
              new LoginManager.Inhibitor(
                  "shutdown",
                  "berth",
                  "Pods of this node need time to end",
                  "delay",
                  ProcessHandle.current().pid()));
      machine.powerOff();
      assertThat(heard.next()).isEqualTo("preparing true");
      assertThat(logind.isPreparing()).isTrue();
      assertThatThrownBy(logind::inhibit)
          .isInstanceOf(BusErrorException.class)
          .hasMessageContaining("already running");
      assertThat(machine.systemd().started()).isEmpty();

      lock.close();
      lock.close();
      assertThat(machine.systemd().started().poll(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .isEqualTo("poweroff.target");
      machine.systemd().cancel();
      assertThat(heard.next()).isEqualTo("preparing false");
      assertThat(logind.isPreparing()).isFalse();
      logind.inhibit().close();
    }
    assertThat(heard.events).isEmpty();
  }

  @Test
  void aRestartedLogindAndALostBusAreHeardOf(@TempDir Path folder)
      throws IOException, InterruptedException {
    try (PrivateLogind machine = new PrivateLogind(folder);
        LoginManager logind = Logind.connect(machine.address(), machine.configuration(), heard)) {
      machine.restart();
      assertThat(heard.next()).isEqualTo("restarted");
      logind.inhibit();
      assertThat(logind.inhibitors()).hasSize(1);
      machine.endBus();
      assertThat(heard.next()).isEqualTo("lost");
      assertThatThrownBy(logind::longestDelay).isInstanceOf(IOException.class);
    }
  }

  @Test
  void whereThereIsNoBusThatIsSaid(@TempDir Path folder) {
    assertThatThrownBy(() -> Logind.connect("unix:path=" + folder.resolve("none"), folder, heard))
        .isInstanceOf(IOException.class)
        .hasMessage("connect: no such file or directory: " + folder.resolve("none"));
    assertThatThrownBy(() -> Logind.connect("tcp:host=localhost", folder, heard))
        .hasMessage(
            "\"tcp:host=localhost\" is no address of a bus such as"
                + " unix:path=/run/dbus/system_bus_socket");
  }
}
