package dev.berth.apiserver.registry;

/**
 * How to write.
 *
 * @param dryRun whether everything is to happen but the write
 * @param subresource what of the object is written: empty for all but the status
 * @param fieldManager whose name goes on the fields that change; empty if nobody's
 */
public record WriteOptions(boolean dryRun, String subresource, String fieldManager) {
  public static final WriteOptions DEFAULT = new WriteOptions(false, "", "");

  public WriteOptions subresource(String name) {
    return new WriteOptions(dryRun, name, fieldManager);
  }

  /** The same, with no name on anything: whoever wrote has put it there. */
  WriteOptions untracked() {
    return new WriteOptions(dryRun, subresource, "");
  }
}
