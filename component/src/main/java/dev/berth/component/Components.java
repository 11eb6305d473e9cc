package dev.berth.component;

/**
 * Where components are run and kept running: the {@link Supervisor}, and every component that
 * others depend on ({@link ComponentScope}). May be used by any thread.
 */
public interface Components {

  /** Starts a component. What it is made of must be all that it needs to be started afresh. */
  @FunctionalInterface
  interface Factory {
    /**
     * Starts it, and returns at once: requests and waiting belong on the component's loops.
     *
     * @param scope where the component gets its time from, and where it runs those that depend on
     *     it; a new one for each start
     * @return what ends it; closing returns at once as well
     */
    AutoCloseable start(ComponentScope scope) throws Exception;
  }

  /** A component that was asked for. */
  interface Handle extends AutoCloseable {
    /**
     * Ends the component, whether it runs or waits to be started afresh, and all that depend on it:
     * none of their loops begins another task. Returns at once.
     */
    @Override
    void close();

    /**
     * Begins to end the component in order, as {@link Supervisor#stop} does: what its factory
     * returned is closed while its loops still run, so that it can do its last, such as give a
     * lease back. Returns at once.
     */
    void stop();
  }

  /**
   * Runs a component under a name. When one of its loops fails, or it cannot be started, it is
   * started afresh after a while.
   */
  Handle run(String name, Factory factory);

  /**
   * The same for a component that is one with those that it runs: when one of them fails, all of
   * them end, and it is started afresh as if it had failed itself.
   */
  Handle runAsOne(String name, Factory factory);
}
