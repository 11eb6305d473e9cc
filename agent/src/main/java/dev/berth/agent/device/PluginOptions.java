package dev.berth.agent.device;

/**
 * What a plugin wants to be asked.
 *
 * @param preStart each time before a container starts that has its devices
 * @param preferredAllocation before devices are chosen
 */
public record PluginOptions(boolean preStart, boolean preferredAllocation) {
  static final PluginOptions NONE = new PluginOptions(false, false);
}
