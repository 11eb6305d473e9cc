package dev.berth.client.leaderelection;

import dev.berth.client.Api;
import dev.berth.component.ComponentScope;
import dev.berth.component.Components;
import dev.berth.model.leader.LeaderTerm;
import dev.berth.time.Loop;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Runs components that only a leader may run, and the election that lets them. They are one: when a
 * loop of any of them fails, or the election's own, everything ends, the lease is given back, so
 * that a healthy candidate elsewhere leads at once, and this process is a candidate again after its
 * back-off. So nobody leads whose components do not run.
 *
 * <p>What they write names the term, and servers of Berth refuse it once that is over: a process
 * that slept for longer than its lease and wakes up changes nothing, whatever it had begun. The
 * first refusal ends the term here, too.
 */
public final class LeaderElected {
  /** The name of the component that holds all of it. */
  public static final String NAME = "leader-election";

  /** The components that the leader runs. */
  @FunctionalInterface
  public interface Led {
    /**
     * Runs what may run before this process leads; returns at once.
     *
     * @param scope for components, those that begin when this process leads as well
     * @param asLeader makes of an API the one by which they write: it is this term's alone
     * @return run once, by a task of the election's loop, when this process leads
     */
    Runnable prepare(ComponentScope scope, UnaryOperator<Api> asLeader);
  }

  /** Learns who leads, on the election's loop. */
  public interface Observer {
    /** This process leads from now on. */
    default void leads() {}

    /** The lease was lost to others or could not be renewed; everything that was led ends now. */
    default void lost() {}

    /** Somebody leads who did not before, perhaps this process; empty if nobody does. */
    default void observed(String leader) {}
  }

  private LeaderElected() {}

  public static Components.Handle run(
      Components components, Api api, LeaderElection.Config config, Led led, Observer observer) {
    return run(NAME, components, api, config, led, observer);
  }

  /** The same as a component of another name, for a process with several elections. */
  public static Components.Handle run(
      String name,
      Components components,
      Api api,
      LeaderElection.Config config,
      Led led,
      Observer observer) {
    return components.runAsOne(
        name,
        scope -> {
          Term term = new Term(scope, observer);
          term.begin = led.prepare(scope, term::asLeader);
          Loop loop = scope.time().start(name);
          term.election = new LeaderElection(api, loop, scope.time(), config, term);
          term.election.start();
          return term;
        });
  }

  /** From one start to its end; leads once at most. */
  private static final class Term implements LeaderElection.Listener, AutoCloseable {
    private final ComponentScope scope;
    private final Observer observer;
    private volatile Runnable begin = () -> {};
    private volatile @Nullable LeaderElection election;
    private volatile Optional<LeaderTerm> leading = Optional.empty();
    private volatile boolean closing;

    Term(ComponentScope scope, Observer observer) {
      this.scope = scope;
      this.observer = observer;
    }

    Api asLeader(Api api) {
      return new LeaderApi(api, () -> leading, this::isOver);
    }

    private void isOver(LeaderTerm term, String why) {
      LeaderElection running = election;
      if (running != null) {
        running.isOver(term, why);
      }
    }

    @Override
    public void started(LeaderTerm term) {
      leading = Optional.of(term);
      observer.leads();
      begin.run();
    }

    @Override
    public void stopped() {
      leading = Optional.empty();
      if (!closing) {
        // Before anybody else may begin: no loop of ours begins another task after this.
        scope.restart("the lease was lost");
        observer.lost();
      }
    }

    @Override
    public void observed(String leader) {
      observer.observed(leader);
    }

    @Override
    public void close() {
      closing = true;
      LeaderElection ending = election;
      if (ending != null) {
        ending.close();
      }
    }
  }
}
