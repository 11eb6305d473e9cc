package dev.berth.agent.device;

/**
 * What a device plugin says of itself.
 *
 * @param version of the protocol
 * @param endpoint the name of its socket, in the directory in which it registered
 */
public record Registration(String version, String endpoint, String resource) {}
