package dev.berth.agent.shutdown;

import dev.berth.time.Loop;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the lock that delays the machine's shutdown, and hears of shutdowns.
 *
 * <ul>
 *   <li>The lock is taken first; then, if the login manager waits for less than is configured, it
 *       is told to wait longer. If it does not, the node has what it allows, and says so.
 *   <li>Whenever the connection is lost, a new one is made a second later, and a new lock taken
 *       before the old one goes. A login manager that was started anew is asked for one, too.
 * </ul>
 *
 * <p>Lives on the loop of the shutdown; what blocks runs beside it.
 */
final class ShutdownDelay {
  private static final Logger LOG = LoggerFactory.getLogger(ShutdownManager.NAME);
  private static final Duration RECONNECT = Duration.ofSeconds(1);

  /** How long until it is looked whether the delay was raised; each time twice as long. */
  private static final Duration FIRST_LOOK = Duration.ofMillis(100);

  private static final int LOOKS = 5;

  private final Loop loop;
  private final LoginManager.Connector connector;
  private final Duration wanted;
  private final Consumer<Boolean> onPreparing;

  private volatile @Nullable LoginManager manager;
  private LoginManager.@Nullable Lock lock;
  private boolean wantsLock = true;

  /** So that nothing is heard of connections that were given up. */
  private int connections = 1;

  /** How often was said whether the machine is shut down; what was read before is older. */
  private final AtomicInteger signals = new AtomicInteger();

  private volatile View view = new View(false, Duration.ZERO, "not connected yet");

  /**
   * How it stands.
   *
   * @param longestDelay what the login manager waits at most; zero if that is not known
   * @param problem what is wrong; empty if nothing is
   */
  record View(boolean holdsLock, Duration longestDelay, String problem) {}

  /** What comes of an attempt to connect. */
  sealed interface Attempt {
    /**
     * It can be asked.
     *
     * @param lock null if none was wanted or given
     * @param signals how many there were before it was read whether the machine is shut down
     */
    record Connected(
        LoginManager manager,
        boolean isPreparing,
        LoginManager.@Nullable Lock lock,
        Duration delay,
        String problem,
        int connection,
        int signals)
        implements Attempt {}

    record Failed(String why) implements Attempt {}
  }

  /**
   * @param wanted how long pods need
   * @param onPreparing told on the loop whether the machine is about to be shut down
   */
  ShutdownDelay(
      Loop loop, LoginManager.Connector connector, Duration wanted, Consumer<Boolean> onPreparing) {
    this.loop = loop;
    this.connector = connector;
    this.wanted = wanted;
    this.onPreparing = onPreparing;
  }

  View view() {
    return view;
  }

  /** The login manager; null while it cannot be asked. By any thread. */
  @Nullable LoginManager manager() {
    return manager;
  }

  /** Connects; blocks. Whatever comes of it is for {@link #take}. */
  Attempt connect() {
    return connect(1, true);
  }

  private Attempt connect(int number, boolean takesLock) {
    try {
      LoginManager found = connector.connect(new Heard(number));
      try {
        int before = signals.get();
        boolean isPreparing = found.isPreparing();
        LoginManager.Lock taken = null;
        String problem = "";
        try {
          taken = takesLock ? found.inhibit() : null;
        } catch (IOException e) {
          // Once a shutdown has begun nobody gets a lock any more; one must go on without.
          problem = "no lock: " + e.getMessage();
        }
        return new Attempt.Connected(
            found, isPreparing, taken, found.longestDelay(), problem, number, before);
      } catch (IOException e) {
        found.close();
        throw e;
      }
    } catch (IOException e) {
      return new Attempt.Failed(String.valueOf(e.getMessage()));
    }
  }

  /** Goes on from an attempt. */
  void take(Attempt attempt) {
    switch (attempt) {
      case Attempt.Failed(String why) -> {
        problem("no connection to logind: " + why);
        reconnect();
      }
      case Attempt.Connected connected -> {
        connections = connected.connection();
        manager = connected.manager();
        replace(connected.lock());
        view = new View(lock != null, connected.delay(), "");
        if (!connected.problem().isEmpty()) {
          problem(connected.problem());
        } else if (lock != null) {
          LOG.atInfo()
              .addKeyValue("logindWaits", connected.delay())
              .addKeyValue("podsHave", wanted)
              .log("holding a lock that delays this machine's shutdown");
        }
        if (signals.get() == connected.signals()) {
          onPreparing.accept(connected.isPreparing());
        }
        if (connected.delay().compareTo(wanted) < 0) {
          raise(connected.manager());
        }
      }
    }
  }

  private void problem(String what) {
    View before = view;
    if (!what.equals(before.problem())) {
      LOG.warn("this machine's shutdown may not wait for pods: {}", what);
    }
    view = new View(lock != null, before.longestDelay(), what);
  }

  private void replace(LoginManager.@Nullable Lock next) {
    LoginManager.Lock before = lock;
    if (next != null && !wantsLock) {
      next.close();
    } else if (next != null) {
      lock = next;
      if (before != null) {
        before.close();
      }
    }
  }

  private void reconnect() {
    loop.after(
        RECONNECT,
        () -> {
          connections++;
          int number = connections;
          boolean takesLock = wantsLock;
          if (!loop.call(() -> connect(number, takesLock), this::take)) {
            reconnect();
          }
        });
  }

  private void raise(LoginManager asked) {
    loop.call(
        () -> {
          try {
            asked.raiseDelay(wanted);
            return "";
          } catch (IOException e) {
            return String.valueOf(e.getMessage());
          }
        },
        failure -> {
          if (failure.isEmpty()) {
            look(asked, FIRST_LOOK, 1);
          } else {
            tooShort(failure);
          }
        });
  }

  private void look(LoginManager asked, Duration after, int attempt) {
    loop.after(
        after,
        () ->
            loop.call(
                () -> {
                  try {
                    return asked.longestDelay();
                  } catch (IOException e) {
                    return Duration.ZERO;
                  }
                },
                delay -> looked(asked, delay, after, attempt)));
  }

  private void looked(LoginManager asked, Duration delay, Duration after, int attempt) {
    if (!asked.equals(manager)) {
      return;
    }
    view = new View(lock != null, delay, view.problem());
    if (delay.compareTo(wanted) >= 0) {
      LOG.info("logind waits for {} by now", delay);
    } else if (attempt < LOOKS) {
      look(asked, after.multipliedBy(2), attempt + 1);
    } else {
      tooShort("it has not taken up its new configuration");
    }
  }

  private void tooShort(String why) {
    problem(
        "logind waits for %s and not for the %s that pods have: %s; set InhibitDelayMaxSec=%d in logind.conf"
            .formatted(
                PhasedTermination.seconds(view.longestDelay()),
                PhasedTermination.seconds(wanted),
                why,
                wanted.toSeconds()));
  }

  /** Lets the machine be shut down. */
  void release() {
    wantsLock = false;
    if (lock != null) {
      lock.close();
      lock = null;
    }
    view = new View(false, view.longestDelay(), view.problem());
  }

  /** Delays the next shutdown, too. */
  void hold() {
    wantsLock = true;
    LoginManager asked = manager;
    if (lock == null && asked != null) {
      inhibit(asked);
    }
  }

  private void inhibit(LoginManager asked) {
    int number = connections;
    loop.call(
        () -> {
          try {
            int before = signals.get();
            boolean isPreparing = asked.isPreparing();
            return new Attempt.Connected(
                asked, isPreparing, asked.inhibit(), asked.longestDelay(), "", number, before);
          } catch (IOException e) {
            return new Attempt.Failed(String.valueOf(e.getMessage()));
          }
        },
        attempt -> {
          switch (attempt) {
            case Attempt.Connected connected -> take(connected);
            case Attempt.Failed(String why) -> problem("no lock: " + why);
          }
        });
  }

  void close() {
    connections = -1;
    if (manager != null) {
      manager.close();
    }
    release();
  }

  /** What is heard on one connection. */
  private final class Heard implements LoginManager.Listener {
    private final int number;

    Heard(int number) {
      this.number = number;
    }

    private void later(Runnable task) {
      loop.after(
          Duration.ZERO,
          () -> {
            if (number == connections) {
              task.run();
            }
          });
    }

    @Override
    public void preparing(boolean shutsDown) {
      signals.incrementAndGet();
      later(() -> onPreparing.accept(shutsDown));
    }

    @Override
    public void restarted() {
      later(() -> {
        LoginManager asked = manager;
        if (asked != null && wantsLock) {
          LOG.info("logind was started anew: taking another lock");
          inhibit(asked);
        }
      });
    }

    @Override
    public void lost(String why) {
      later(() -> {
        manager = null;
        problem("the connection to logind is lost: " + why);
        reconnect();
      });
    }
  }
}
