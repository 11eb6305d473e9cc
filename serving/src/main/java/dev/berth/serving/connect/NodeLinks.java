package dev.berth.serving.connect;

/**
 * What a server has to do with nodes.
 *
 * @param servesUsage whether it asks them for what {@code metrics.k8s.io} shows
 */
public record NodeLinks(NodeConnector connector, boolean servesUsage) {
  public static final NodeLinks NONE = new NodeLinks(NodeConnector.NONE, false);
}
