package dev.berth.agent.shutdown;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A login manager that does what a test says, and outlives agents. */
final class FakeLoginManager implements LoginManager.Connector {
  private LoginManager.Listener listener = new Deaf();
  private Duration delay = Duration.ofSeconds(5);
  private boolean isReachable = true;
  private boolean canBeRaised = true;
  private boolean isPreparing;
  private final Set<LoginManager.Lock> locks = new HashSet<>();
  private final List<String> journal = new ArrayList<>();

  private static final class Deaf implements LoginManager.Listener {
    @Override
    public void preparing(boolean shutsDown) {}

    @Override
    public void restarted() {}

    @Override
    public void lost(String why) {}
  }

  /** What was asked of it. */
  List<String> journal() {
    return List.copyOf(journal);
  }

  int locks() {
    return locks.size();
  }

  Duration delay() {
    return delay;
  }

  void cannotBeRaised() {
    canBeRaised = false;
  }

  void shutDown(boolean isShutDown) {
    isPreparing = isShutDown;
    listener.preparing(isShutDown);
  }

  /** Who hears of it has ended, and its locks with it. */
  void agentDied() {
    listener = new Deaf();
    locks.clear();
  }

  void restart() {
    locks.clear();
    listener.restarted();
  }

  void reachable(boolean reachable) {
    isReachable = reachable;
    if (!reachable) {
      listener.lost("cut");
    }
  }

  @Override
  public LoginManager connect(LoginManager.Listener heard) throws IOException {
    journal.add("connect");
    if (!isReachable) {
      throw new IOException("no such file or directory");
    }
    listener = heard;
    return new Connection();
  }

  private final class Connection implements LoginManager {
    private void check() throws IOException {
      if (!isReachable) {
        throw new IOException("cut");
      }
    }

    @Override
    public boolean isPreparing() throws IOException {
      check();
      return isPreparing;
    }

    @Override
    public Duration longestDelay() throws IOException {
      check();
      return delay;
    }

    @Override
    public void raiseDelay(Duration to) throws IOException {
      check();
      if (!canBeRaised) {
        throw new IOException("read-only file system");
      }
      journal.add("raise " + to.toSeconds());
      delay = to;
    }

    @Override
    public Lock inhibit() throws IOException {
      check();
      if (isPreparing) {
        throw new IOException("The operation inhibition has been requested for is already running");
      }
      journal.add("lock");
      Lock lock =
          new Lock() {
            @Override
            public void close() {
              locks.remove(this);
            }
          };
      locks.add(lock);
      return lock;
    }

    @Override
    public List<Inhibitor> inhibitors() {
      return List.of();
    }

    @Override
    public void close() {}
  }
}
