package dev.berth.agent.shutdown;

import dev.berth.agent.dbus.BusConnection;
import dev.berth.agent.dbus.BusMessage;
import dev.berth.agent.nativecalls.Descriptors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * systemd's logind, over D-Bus. Its configuration is changed as kubelets do it: by a file of theirs
 * beside it, and a signal that makes it read that.
 */
public final class Logind implements LoginManager {
  private static final String SERVICE = "org.freedesktop.login1";
  private static final String PATH = "/org/freedesktop/login1";
  private static final String MANAGER = "org.freedesktop.login1.Manager";
  private static final String SIGNAL = MANAGER + ".PrepareForShutdown";
  private static final String OWNER_CHANGED = "org.freedesktop.DBus.NameOwnerChanged";
  private static final String USUAL_BUS = "unix:path=/run/dbus/system_bus_socket";
  private static final Path CONFIGURATION = Path.of("/etc/systemd/logind.conf.d");

  /** The kubelet's own name, so that of two files the one that is written last counts. */
  private static final String FILE = "99-kubelet.conf";

  private static final int SIGHUP = 1;
  private static final int NONE = -1;
  private static final int MICROS = 1000;

  private final BusConnection bus;
  private final Path configuration;

  private Logind(BusConnection bus, Path configuration) {
    this.bus = bus;
    this.configuration = configuration;
  }

  /** That of this machine; {@code DBUS_SYSTEM_BUS_ADDRESS} says where its bus is if not usual. */
  public static LoginManager connect(Listener listener) throws IOException {
    String address = System.getenv("DBUS_SYSTEM_BUS_ADDRESS");
    return connect(
        address == null || address.isEmpty() ? USUAL_BUS : address, CONFIGURATION, listener);
  }

  /**
   * The one of a bus.
   *
   * @param configuration the directory of files that change logind's configuration
   */
  static LoginManager connect(String address, Path configuration, Listener listener)
      throws IOException {
    BusConnection bus = BusConnection.open(address, new Signals(listener));
    try {
      bus.match(
          "type='signal',interface='%s',member='PrepareForShutdown',path='%s'"
              .formatted(MANAGER, PATH));
      bus.match(
          "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='%s'"
              .formatted(SERVICE));
      return new Logind(bus, configuration);
    } catch (IOException e) {
      bus.close();
      throw e;
    }
  }

  private record Signals(Listener listener) implements BusConnection.Listener {
    @Override
    public void received(BusMessage message) {
      if (message.isSignal(SIGNAL) && message.body().equals(List.of(true))) {
        listener.preparing(true);
      } else if (message.isSignal(SIGNAL) && message.body().equals(List.of(false))) {
        listener.preparing(false);
      } else if (message.isSignal(OWNER_CHANGED)
          && message.body().size() == 3
          && !message.body().get(2).equals("")) {
        listener.restarted();
      }
    }

    @Override
    public void lost(String why) {
      listener.lost(why);
    }
  }

  private Object property(String name) throws IOException {
    List<Object> answer =
        bus.call(
                BusMessage.call(
                    SERVICE, PATH, "org.freedesktop.DBus.Properties.Get", "ss", MANAGER, name))
            .body();
    if (answer.size() != 1) {
      throw new IOException("logind does not know its " + name);
    }
    return answer.getFirst();
  }

  @Override
  public boolean isPreparing() throws IOException {
    return property("PreparingForShutdown").equals(true);
  }

  @Override
  public Duration longestDelay() throws IOException {
    if (property("InhibitDelayMaxUSec") instanceof Long micros) {
      // What is not limited is as good as centuries.
      return micros < 0 ? Duration.ofDays(100_000) : Duration.ofMillis(micros / MICROS);
    }
    throw new IOException("logind's InhibitDelayMaxUSec is no number");
  }

  @Override
  public void raiseDelay(Duration delay) throws IOException {
    Path file = configuration.resolve(FILE);
    try {
      Files.createDirectories(configuration);
      Files.writeString(
          file,
          """
          # Berth's node agent: pods have so long to end when this machine is shut down.
          [Login]
          InhibitDelayMaxSec=%d
          """
              .formatted(delay.plusMillis(999).toSeconds()));
    } catch (IOException e) {
      throw new IOException("%s cannot be written: %s".formatted(file, e), e);
    }
    bus.call(
        BusMessage.call(
            "org.freedesktop.systemd1",
            "/org/freedesktop/systemd1",
            "org.freedesktop.systemd1.Manager.KillUnit",
            "ssi",
            "systemd-logind.service",
            "all",
            SIGHUP));
  }

  @Override
  public Lock inhibit() throws IOException {
    BusConnection.Answer answer =
        bus.call(
            BusMessage.call(
                SERVICE,
                PATH,
                MANAGER + ".Inhibit",
                "ssss",
                "shutdown",
                "berth",
                "Pods of this node need time to end",
                "delay"));
    if (answer.descriptors().size() != 1) {
      answer.descriptors().forEach(Descriptors::close);
      throw new IOException("logind has given no lock");
    }
    AtomicInteger descriptor = new AtomicInteger(answer.descriptors().getFirst());
    return () -> {
      int held = descriptor.getAndSet(NONE);
      if (held != NONE) {
        Descriptors.close(held);
      }
    };
  }

  @Override
  public List<Inhibitor> inhibitors() throws IOException {
    List<Inhibitor> found = new ArrayList<>();
    for (Object list :
        bus.call(BusMessage.call(SERVICE, PATH, MANAGER + ".ListInhibitors", "")).body()) {
      for (Object each : (List<?>) list) {
        List<?> fields = (List<?>) each;
        String what = (String) fields.get(0);
        if (Arrays.asList(what.split(":", -1)).contains("shutdown")) {
          found.add(
              new Inhibitor(
                  what,
                  (String) fields.get(1),
                  (String) fields.get(2),
                  (String) fields.get(3),
                  (Long) fields.get(5)));
        }
      }
    }
    return found;
  }

  @Override
  public void close() {
    bus.close();
  }
}
