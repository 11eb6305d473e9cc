package dev.berth.store.embedded;

/**
 * A form of values on disk, such as encrypted by one provider with one key. Equal forms write what
 * the other would.
 */
public interface ValueForm {

  /**
   * A value in this form.
   *
   * @param place what its key is called where it is stored
   */
  byte[] write(String place, byte[] value);
}
