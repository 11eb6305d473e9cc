package dev.berth.agent.runtime;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A container as its runtime knows it.
 *
 * @param id unique on this machine, without the runtime's name
 * @param attempt of its specification
 * @param image as the runtime names it
 * @param specImage its name in the pod's specification when the container was started; empty if
 *     that is not known
 * @param mountedImages the ids of images that it mounts as volumes
 * @param imageId what it runs in, such as {@code process://host} or an imported image's digest
 * @param logFile on this machine, in the form {@code TIME stdout|stderr F|P LINE}
 * @param exit null while it runs
 */
public record ContainerStatus(
    String id,
    String name,
    int attempt,
    String image,
    String specImage,
    List<String> mountedImages,
    String imageId,
    Instant started,
    String logFile,
    @Nullable Exit exit) {

  /**
   * How it ended.
   *
   * @param signal 0 if it ended by itself
   * @param outOfMemory whether the kernel killed one of its processes for lack of memory
   * @param startError why its command could not be started; empty if it could
   */
  public record Exit(int code, int signal, boolean outOfMemory, String startError, Instant at) {}

  public boolean isRunning() {
    return exit == null;
  }
}
