package dev.berth.agent.device;

import dev.berth.policy.device.DeviceGrant;
import dev.berth.policy.device.PluginDevice;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A plugin, as it is called. Nothing blocks; answers come by any thread, once, and by the end of
 * the time that a call may take.
 */
public interface PluginConnection extends AutoCloseable {

  /** Reaches the plugin, and asks for its options. */
  void connect(Duration patience, Consumer<Answer<PluginOptions>> then);

  /** Has the plugin list its devices, now and whenever something about them changes. */
  void listAndWatch(DeviceWatch watch);

  void preferredAllocation(
      Set<String> available,
      Set<String> mustInclude,
      int size,
      Duration patience,
      Consumer<Answer<List<String>>> then);

  /**
   * Has the plugin make devices ready for a container. It answers nothing, or for one container.
   */
  void allocate(Set<String> devices, Duration patience, Consumer<Answer<List<DeviceGrant>>> then);

  void preStartContainer(
      Set<String> devices, Duration patience, Consumer<Answer<PluginOptions>> then);

  /** Ends all calls. */
  @Override
  void close();

  /** Is told of devices, by any thread. */
  interface DeviceWatch {
    /**
     * These are all devices now.
     *
     * @param next asks for the next list; none comes before, however many the plugin sends
     */
    void listed(List<PluginDevice> devices, Runnable next);

    /** No more lists come. */
    void ended(String error);
  }
}
