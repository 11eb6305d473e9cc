package dev.berth.agent.pod;

import dev.berth.agent.podspec.SpecSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a node runs its pods.
 *
 * @param syncFrequency how often each pod is looked at although nothing happened to it
 * @param maxParallelStarts how many containers are being started at once
 * @param maxParallelPulls how many images are being pulled at once
 * @param longestBackOff the most that a container waits that ends again and again
 * @param allowedSysctls kernel parameters that pods may set beside the safe ones; {@code
 *     kernel.msg*} for all that begin so
 */
public record PodSettings(
    SpecSettings specs,
    StaticSources staticPods,
    Duration syncFrequency,
    int maxParallelStarts,
    int maxParallelPulls,
    Duration longestBackOff,
    List<String> allowedSysctls) {

  /**
   * Where static pods come from.
   *
   * @param path a file, or a directory of files, each of which is a pod
   * @param url an address that answers with a pod or a list of them
   * @param urlHeaders what requests there have, such as a token
   */
  public record StaticSources(
      Optional<Path> path,
      Duration pathCheck,
      Optional<URI> url,
      Map<String, List<String>> urlHeaders,
      Duration urlCheck) {
    /** There are none. */
    public static final StaticSources NONE =
        new StaticSources(
            Optional.empty(),
            Duration.ofSeconds(20),
            Optional.empty(),
            Map.of(),
            Duration.ofSeconds(20));
  }

  /** What upstream's defaults are. */
  public static PodSettings defaults(SpecSettings specs) {
    return new PodSettings(
        specs, StaticSources.NONE, Duration.ofMinutes(1), 8, 1, Duration.ofMinutes(5), List.of());
  }
}
