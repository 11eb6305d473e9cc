package dev.berth.kinds.batch;

/** Indexes of a job as text: {@code 1,3-5}, in rising order and below the completions. */
sealed interface IndexText {

  /**
   * Text that is valid.
   *
   * @param size how many indexes it names
   */
  record Good(long size) implements IndexText {}

  /** Text that is not valid, and the reason, in upstream's words. */
  record Bad(String why) implements IndexText {}

  static IndexText read(String text, long completions) {
    long size = 0;
    long last = -1;
    for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      String[] ends = part.split("-", -1);
      if (ends.length > 2) {
        return new Bad(
            "the fragment \"%s\" violates the requirement that an index interval can have at most two parts separated by '-'"
                .formatted(part));
      }
      long before = last;
      long first = -1;
      for (int i = 0; i < ends.length; i++) {
        try {
          long index = Long.parseLong(ends[i]);
          if (index >= completions) {
            return new Bad("too large index: \"" + ends[i] + '"');
          }
          if (index <= last) {
            return new Bad(
                "non-increasing order, previous: %d, current: %d".formatted(last, index));
          }
          first = i == 0 ? index : first;
          last = index;
        } catch (NumberFormatException _) {
          return new Bad("cannot convert string to integer for index: \"" + ends[i] + '"');
        }
      }
      size += last - Math.max(first, before + 1) + 1;
    }
    return new Good(size);
  }
}
