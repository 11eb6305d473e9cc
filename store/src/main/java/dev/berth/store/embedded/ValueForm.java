package dev.berth.store.embedded;

/**
 * A form of values on disk, such as encrypted by one provider with one key. Equal forms write what
 * the other would.
 */
public interface ValueForm {
  byte[] write(String key, byte[] value);
}
