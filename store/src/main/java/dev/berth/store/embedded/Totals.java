package dev.berth.store.embedded;

import java.nio.ByteBuffer;

/**
 * What the rows of a database must add up to; one row of its own that each transaction renews.
 *
 * <p>A row that is lost, doubled, or has come back from an older page fits its own hash. It does
 * not fit the totals.
 *
 * @param revision the store's revision
 * @param objects how many rows there are
 * @param sum all rows' {@linkplain RowHash#share shares}, in any order
 */
record Totals(long revision, long objects, long sum) {

  long hash(RowHash hash) {
    byte[] counts = ByteBuffer.allocate(2 * Long.BYTES).putLong(objects).putLong(sum).array();
    return hash.of("totals", revision, counts);
  }
}
