package dev.berth.sim.hostile;

/**
 * One request.
 *
 * @param what what it tries, for messages
 */
@SuppressWarnings(
    "ArrayRecordComponent") // the bytes are made for this request and sent as they are
public record HostileRequest(
    String what, String method, String path, String contentType, byte[] body) {}
