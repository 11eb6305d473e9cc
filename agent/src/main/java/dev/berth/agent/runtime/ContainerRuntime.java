package dev.berth.agent.runtime;

import java.nio.channels.ByteChannel;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs the containers of a node's pods, and holds on to them: what it started goes on when the
 * agent ends, and is found again by the next one.
 *
 * <p>All methods but {@link #onChange} may block, so components call them by {@code Loop.call};
 * they may be called by any thread. What is asked for twice is done once.
 */
public interface ContainerRuntime extends AutoCloseable {

  /** What the node shows as the version of its runtime, such as {@code process://0.1.0}. */
  String version();

  /** Why pods cannot have addresses of their own; empty if they can, or may soon. May block. */
  default Optional<String> networkProblem() {
    return Optional.empty();
  }

  /** Everything that is on this machine, also what earlier agents left. */
  List<PodSandbox> list();

  /** One of these pods; empty if nothing of it is on this machine. */
  default Optional<PodSandbox> find(String podUid) {
    return list().stream().filter(sandbox -> sandbox.pod().uid().equals(podUid)).findFirst();
  }

  /** Makes what the containers of a pod share, unless it is there: cgroup, namespaces, network. */
  PodSandbox startSandbox(SandboxSpec spec) throws RuntimeFailure;

  /** Kills whatever still runs in a pod and gives back its addresses and ports. */
  void stopSandbox(String podUid) throws RuntimeFailure;

  /** Removes all that is left of a pod that was stopped, with the logs of its containers. */
  void removeSandbox(String podUid) throws RuntimeFailure;

  /**
   * What a container of an image would run in.
   *
   * @param pullPolicy {@code Always}, {@code IfNotPresent} or {@code Never}
   */
  Image image(String name, String pullPolicy) throws RuntimeFailure;

  /** The images that are on this machine, the largest first. */
  List<Image> images();

  /** Starts a container; returns when its process runs. */
  ContainerStatus start(ContainerSpec spec) throws RuntimeFailure;

  /** Asks a container's first process to end; nothing happens if it has. */
  void signal(String containerId, String signal) throws RuntimeFailure;

  /** Ends all processes of a container at once. */
  void kill(String containerId) throws RuntimeFailure;

  /** Removes what is left of a container that has ended, with its log. */
  void removeContainer(String containerId) throws RuntimeFailure;

  /** Changes the limits of a container while it runs. */
  void resize(String containerId, Limits limits) throws RuntimeFailure;

  /** Changes the limits of a whole pod while it runs. */
  void resizePod(String podUid, Limits limits) throws RuntimeFailure;

  /** Runs a command in a container that runs. */
  Session exec(String containerId, ExecSpec spec) throws RuntimeFailure;

  /** Joins the streams of a container's first process. */
  Session attach(String containerId, boolean stdin) throws RuntimeFailure;

  /** Connects to a port of a pod, from within its network. */
  ByteChannel connect(String podUid, int port) throws RuntimeFailure;

  /** What each pod uses now, by its cgroup. */
  List<PodUsage> usage();

  /**
   * Told, on any thread and quickly, of the uid of a pod in which a container has ended, or in
   * which something else changed that nobody asked for.
   */
  void onChange(Consumer<String> podUid);

  /** Lets go of everything; what runs goes on. */
  @Override
  void close();
}
