package dev.berth.agent.device;

import dev.berth.agent.library.GrpcLibrary;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** gRPC for device plugins, loaded when the first one shows up. */
public final class LazyTransport implements Supplier<PluginTransport>, AutoCloseable {
  private static final String ENTRY = "dev.berth.grpc.device.GrpcPluginTransport";

  private @Nullable PluginTransport transport;
  private boolean isClosed;

  @Override
  public synchronized PluginTransport get() {
    PluginTransport known = transport;
    if (known == null) {
      if (isClosed) {
        throw new IllegalStateException("the agent has ended");
      }
      known = GrpcLibrary.make(ENTRY, PluginTransport.class, "device plugins");
      transport = known;
    }
    return known;
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    if (transport != null) {
      transport.close();
    }
  }
}
