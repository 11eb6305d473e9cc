package dev.berth.apiserver.registry;

/**
 * How to write.
 *
 * @param dryRun whether everything is to happen but the write
 * @param subresource what of the object is written: empty for all but the status
 */
public record WriteOptions(boolean dryRun, String subresource) {
  public static final WriteOptions DEFAULT = new WriteOptions(false, "");

  public WriteOptions subresource(String name) {
    return new WriteOptions(dryRun, name);
  }
}
