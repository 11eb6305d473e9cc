package dev.berth.client.leaderelection;

import dev.berth.client.Api;
import dev.berth.component.ComponentScope;
import dev.berth.component.Components;
import dev.berth.time.Loop;
import org.jspecify.annotations.Nullable;

/**
 * Runs components that only a leader may run, and the election that lets them. They are one: when a
 * loop of any of them fails, or the election's own, everything ends, the lease is given back, so
 * that a healthy candidate elsewhere leads at once, and this process is a candidate again after its
 * back-off. So nobody leads whose components do not run.
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
     * @return run once, by a task of the election's loop, when this process leads
     */
    Runnable prepare(ComponentScope scope);
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
    return components.runAsOne(
        NAME,
        scope -> {
          Term term = new Term(scope, led.prepare(scope), observer);
          Loop loop = scope.time().start(NAME);
          term.election = new LeaderElection(api, loop, scope.time(), config, term);
          term.election.start();
          return term;
        });
  }

  /** From one start to its end; leads once at most. */
  private static final class Term implements LeaderElection.Listener, AutoCloseable {
    private final ComponentScope scope;
    private final Runnable begin;
    private final Observer observer;
    private volatile @Nullable LeaderElection election;
    private volatile boolean closing;

    Term(ComponentScope scope, Runnable begin, Observer observer) {
      this.scope = scope;
      this.begin = begin;
      this.observer = observer;
    }

    @Override
    public void started() {
      observer.leads();
      begin.run();
    }

    @Override
    public void stopped() {
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
