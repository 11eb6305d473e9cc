package dev.berth.policy.cidr;

/**
 * The addresses of all pods of one family, and how many of them a node gets.
 *
 * @param cluster what is given out ({@code --cluster-cidr})
 * @param nodeLength the length of what a node gets ({@code --node-cidr-mask-size})
 */
public record NodeRange(Cidr cluster, int nodeLength) {
  /** As upstream: a bit is kept for each node's range, so that there may not be too many. */
  private static final int MOST_BITS_IPV6 = 16;

  /** Where upstream sets no limit, two megabytes are one. */
  private static final int MOST_BITS_IPV4 = 24;

  public NodeRange {
    if (nodeLength < cluster.length() || nodeLength > longest(cluster)) {
      throw new IllegalArgumentException(
          "ranges of /%d cannot be given out of %s".formatted(nodeLength, cluster));
    }
  }

  /** The longest that a node's range may be, so that its number can be kept. */
  public static int longest(Cidr cluster) {
    int bits =
        switch (cluster.family()) {
          case IPV4 -> MOST_BITS_IPV4;
          case IPV6 -> MOST_BITS_IPV6;
        };
    return Math.min(cluster.family().bits(), cluster.length() + bits);
  }

  /** How many nodes can get a range. */
  public int size() {
    return 1 << (nodeLength - cluster.length());
  }
}
