package dev.berth.agent.runtime;

import dev.berth.model.tree.JsonObject;
import dev.berth.policy.image.RegistryLogin;
import java.nio.channels.ByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

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

  /** What stands before containers' ids in a status, such as {@code process://}. */
  default String idPrefix() {
    String version = version();
    int end = version.indexOf("://");
    return (end < 0 ? version : version.substring(0, end)) + "://";
  }

  /** Why pods cannot run, as the node's Ready condition says it; none if they can. May block. */
  default List<String> problems() {
    return List.of();
  }

  /**
   * What can run pods, by the names that runtime classes use; none if it does not say. Does not
   * block.
   */
  default List<RuntimeHandler> handlers() {
    return List.of();
  }

  /** Whether it can be told that groups of the image do not count; empty if that is not known. */
  default Optional<Boolean> hasGroupsPolicy() {
    return Optional.empty();
  }

  /** What {@code berth node status} shows of it beside its version, such as its cgroups. */
  default JsonObject details() {
    return JsonObject.EMPTY;
  }

  /** Everything that is on this machine, also what earlier agents left. */
  List<PodSandbox> list() throws RuntimeFailure;

  /** One of these pods; empty if nothing of it is on this machine. */
  default Optional<PodSandbox> find(String podUid) throws RuntimeFailure {
    return list().stream().filter(sandbox -> sandbox.pod().uid().equals(podUid)).findFirst();
  }

  /** Makes what the containers of a pod share, unless it is there: cgroup, namespaces, network. */
  PodSandbox startSandbox(SandboxSpec spec) throws RuntimeFailure;

  /** Kills whatever still runs in a pod and gives back its addresses and ports. */
  void stopSandbox(String podUid) throws RuntimeFailure;

  /** Removes all that is left of a pod that was stopped, with the logs of its containers. */
  void removeSandbox(String podUid) throws RuntimeFailure;

  /**
   * Whether images come from registries. If they do not, a container whose image is not here runs
   * in the machine's own root.
   */
  boolean pullsImages();

  /** An image that is on this machine; empty if it is not. */
  Optional<Image> findImage(String name) throws RuntimeFailure;

  /**
   * Fetches an image.
   *
   * @param logins to try, in turn; none to fetch it without
   */
  ImagePull pullImage(String name, PodId pod, List<RegistryLogin> logins) throws RuntimeFailure;

  /** Removes an image, by its id, that no container has. */
  void removeImage(String id) throws RuntimeFailure;

  /** The images that are on this machine, the largest first; as far as is known. */
  List<Image> images();

  /** A directory of the file system with images and what containers write; empty if unknown. */
  Optional<Path> imageFilesystem();

  /** Starts a container; returns when its process runs. */
  ContainerStatus start(ContainerSpec spec) throws RuntimeFailure;

  /**
   * Asks a container's first process to end; nothing happens if it has. May return when it has
   * ended.
   *
   * @param signal empty for the one that the container or its image names
   */
  void signal(String containerId, String signal) throws RuntimeFailure;

  /** Ends all processes of a container at once. */
  void kill(String containerId) throws RuntimeFailure;

  /** Removes what is left of a container that has ended, with its log. */
  void removeContainer(String containerId) throws RuntimeFailure;

  /** Changes the limits of a container while it runs. */
  void resize(String containerId, Limits limits) throws RuntimeFailure;

  /** Changes the limits of a whole pod while it runs. */
  void resizePod(String podUid, Limits limits) throws RuntimeFailure;

  /** Keeps all pods together, those to come too, within what the node has for them. */
  void confine(NodeAllocatable allocatable) throws RuntimeFailure;

  /** Runs a command in a container that runs. */
  Session exec(String containerId, ExecSpec spec) throws RuntimeFailure;

  /** Joins the streams of a container's first process. */
  Session attach(String containerId, boolean stdin) throws RuntimeFailure;

  /** Connects to a port of a pod, from within its network. */
  ByteChannel connect(String podUid, int port) throws RuntimeFailure;

  /** What all pods together use, by the cgroup that they are in; empty if there is none. */
  default Optional<PodUsage.Usage> usageOfAll() {
    return Optional.empty();
  }

  /** The cgroups of its pods and of their running containers, for metrics. */
  default List<PodGroups> groups() {
    return List.of();
  }

  /**
   * Who the first process of a container was started as; empty if the runtime does not say. Does
   * not block.
   */
  default Optional<ContainerUser> user(String containerId) {
    return Optional.empty();
  }

  /** What each pod uses now, by its cgroup. */
  List<PodUsage> usage();

  /**
   * The same for who needs to know of a few pods only what they have written, which may take a walk
   * through all their files.
   *
   * @param hasFilesMeasured asked with a pod's uid; what others have written may be told as 0
   */
  default List<PodUsage> usage(Predicate<String> hasFilesMeasured) {
    return usage();
  }

  /** The memory that all pods together cannot do without now. */
  default long workingSetBytes() {
    return usage(_ -> false).stream().mapToLong(pod -> pod.total().workingSetBytes()).sum();
  }

  /**
   * Told, on any thread and quickly, of the uid of a pod in which a container has ended, or in
   * which something else changed that nobody asked for.
   */
  void onChange(Consumer<String> podUid);

  /** Lets go of everything; what runs goes on. */
  @Override
  void close();
}
