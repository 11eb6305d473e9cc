package dev.berth.grpc.cri;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/**
 * A number for what a list of messages says: two lists that say the same have the same one, also in
 * another order of their messages, and of the fields and entries of each. Runtimes keep what they
 * list in maps, whose order is another one each time.
 *
 * <p>It is made from the bytes, since reading them as messages takes many times as long.
 */
final class Fingerprint {
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private Fingerprint() {}

  /**
   * Of an answer whose fields are the messages of a list.
   *
   * @throws IOException if it is none
   */
  static long of(byte[] list) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(list);
    long sum = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        int length = in.readRawVarint32();
        if (length < 0 || length > list.length - in.getTotalBytesRead()) {
          throw new IOException("a message is longer than its list");
        }
        sum += mixed(tag + ofFields(list, in.getTotalBytesRead(), length));
        in.skipRawBytes(length);
      } else {
        int from = in.getTotalBytesRead();
        in.skipField(tag);
        sum += mixed(tag + ofBytes(list, from, in.getTotalBytesRead()));
      }
    }
    return sum;
  }

  private static long ofFields(byte[] list, int start, int length) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(list, start, length);
    long sum = 0;
    int from = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      in.skipField(tag);
      int to = in.getTotalBytesRead();
      sum += mixed(ofBytes(list, start + from, start + to));
      from = to;
    }
    return sum;
  }

  /** FNV-1a, in which each byte counts at its place. */
  private static long ofBytes(byte[] all, int from, int to) {
    long hash = FNV_OFFSET;
    for (int i = from; i < to; i++) {
      hash = (hash ^ (all[i] & 0xff)) * FNV_PRIME;
    }
    return hash;
  }

  /** Spreads what little differences there are over all bits, so that sums do not cancel out. */
  private static long mixed(long hash) {
    long mixed = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
