package dev.berth.agent.volume;

/**
 * A volume that is there.
 *
 * @param path where it is on the machine
 * @param isReadOnly whether containers may only read it, whatever they ask for
 */
record PreparedVolume(String path, boolean isReadOnly) {}
