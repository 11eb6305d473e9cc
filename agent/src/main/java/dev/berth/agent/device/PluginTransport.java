package dev.berth.agent.device;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** Speaks gRPC with plugins. */
public interface PluginTransport extends AutoCloseable {

  /** Serves registration at a socket, which it makes. */
  void serve(Path socket, Registrar registrar) throws IOException;

  /** Tells which pods have which devices at a socket, which it makes. */
  void serve(Path socket, PodResourcesLister lister) throws IOException;

  /** A plugin's socket; nothing is sent yet. */
  PluginConnection plugin(Path socket);

  /** Ends all servers and connections. */
  @Override
  void close();

  /** Takes registrations, by any thread. */
  interface Registrar {
    /**
     * A plugin registers.
     *
     * @param then told why the plugin is refused; nothing if it is not
     */
    void register(Registration registration, Consumer<Optional<String>> then);
  }
}
