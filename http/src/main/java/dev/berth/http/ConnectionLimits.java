package dev.berth.http;

/**
 * How many connections there may be. A client is authenticated on a connection once one of its
 * requests was; until then anybody could hold it, so a new connection that would be too many closes
 * the oldest of those, and is only refused if there is none. Authenticated connections are never
 * closed for others.
 *
 * @param total of all clients
 * @param perAddress of the clients at one address; for IPv6, in one network of 64 bits. Others may
 *     share it, such as many nodes behind one router
 * @param unauthenticated of all clients; the rest is kept for those who are authenticated
 * @param unauthenticatedPerAddress of the clients at one address that are not
 */
public record ConnectionLimits(
    int total, int perAddress, int unauthenticated, int unauthenticatedPerAddress) {

  /**
   * One address may have the 5,000 watches of a large test, or of as many nodes behind a router,
   * and leaves as much to others; half of all places are for authenticated clients. So many
   * connections may be in their handshake at one address as clients that all come back at once take
   * seconds to authenticate.
   */
  public static final ConnectionLimits DEFAULT = new ConnectionLimits(12_000, 6_000, 6_000, 3_000);

  public ConnectionLimits {
    if (total < 1 || perAddress < 1 || unauthenticated < 1 || unauthenticatedPerAddress < 1) {
      throw new IllegalArgumentException("Every limit of connections must be above zero.");
    }
  }
}
