package dev.berth.agent.runtime;

/**
 * A device file of the machine at a place in a container.
 *
 * @param permissions what the container may do with the device: some of {@code r} (read), {@code w}
 *     (write) and {@code m} (make files of it)
 */
public record DeviceNode(String hostPath, String containerPath, String permissions) {}
