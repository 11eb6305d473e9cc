package dev.berth.agent.runtime.remote;

import dev.berth.agent.library.GrpcLibrary;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.LogRotation;
import dev.berth.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Makes the agent's end of runtimes that speak CRI, which is loaded with gRPC. */
public interface RemoteRuntimes {

  /**
   * A runtime to use.
   *
   * @param runtime its socket
   * @param images the socket of what keeps its images; most often the same
   * @param timeout how long it may take for one thing, pulls and sandboxes excepted
   * @param logDirectory below which containers' logs are
   * @param podPids how many processes a pod may have; empty for no limit
   * @param podCidrs what pods' addresses are from; empty until it is known
   * @param sys where the machine's /sys is
   */
  record Settings(
      Path runtime,
      Path images,
      Duration timeout,
      Path logDirectory,
      LogRotation logs,
      OptionalLong podPids,
      Supplier<List<String>> podCidrs,
      Path sys,
      Time time) {}

  /** Uses a runtime; it need not be there yet. */
  ContainerRuntime connect(Settings settings);

  /** Those that are spoken to over gRPC. */
  static RemoteRuntimes load() {
    return GrpcLibrary.make(
        "dev.berth.grpc.cri.CriRuntimes", RemoteRuntimes.class, "container runtimes");
  }
}
