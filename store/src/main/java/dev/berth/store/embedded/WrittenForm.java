package dev.berth.store.embedded;

/** How one value looks on disk, and which form that is. */
@SuppressWarnings("ArrayRecordComponent") // the bytes are the value's, and nobody compares them
record WrittenForm(ValueForm form, byte[] bytes) {

  static WrittenForm of(ValueForm form, String key, byte[] value) {
    return new WrittenForm(form, form.write(key, value));
  }
}
