package dev.berth.grpc.cri;

import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.remote.RemoteRuntimes;

/** CRI as the agent knows it, which names this class when it loads it. */
public final class CriRuntimes implements RemoteRuntimes {

  @Override
  public ContainerRuntime connect(Settings settings) {
    return CriRuntime.start(settings);
  }
}
