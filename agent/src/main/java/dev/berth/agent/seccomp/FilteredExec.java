package dev.berth.agent.seccomp;

import dev.berth.agent.nativecalls.Architecture;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

/**
 * A program of a few instructions that installs a filter of system calls and becomes the command
 * that its arguments name. A filter holds for all that comes after it, so it must come last: were
 * it installed by the agent, it would have to allow the mounts and namespaces that lead to the
 * container's command. No usual tool can do that (setpriv can, since util-linux 2.41).
 */
public final class FilteredExec {
  /** The descriptor that the program itself is expected to be open as; it closes it. */
  public static final int DESCRIPTOR = 5;

  private static final long BASE = 0x400000;
  private static final int HEADERS = 64 + 56;
  private static final int PREAMBLE = 16;

  /**
   * close(5); seccomp(SECCOMP_SET_MODE_FILTER, 0, filter); execve(argv[1], argv + 1, environment);
   * exit(126). The filter's address is the four bytes after 31f6ba.
   */
  private static final String X86_64 =
      "bf05000000b8030000000f05" // mov edi,5; mov eax,3; syscall
          + "bf0100000031f6ba00000000b83d0100000f05" // mov edi,1; xor esi,esi; mov edx,filter; …
          + "85c0751a" // test eax,eax; jnz exit
          + "488b7c2410488d742410488b0c24488d54cc10" // rdi=argv[1]; rsi=argv+1; rdx=environment
          + "b83b0000000f05" // mov eax,59; syscall
          + "bf7e000000b83c0000000f05"; // exit: mov edi,126; mov eax,60; syscall

  private static final int X86_64_FILTER_AT = 20;

  /** The same; the filter's address is made by movz and movk of x2. */
  private static final int[] AARCH64 = {
    0xd28000a0, // mov x0, #5
    0xd2800728, // mov x8, #57
    0xd4000001, // svc #0
    0xd2800020, // mov x0, #1
    0xd2800001, // mov x1, #0
    0xd2800002, // movz x2, #low
    0xf2a00002, // movk x2, #high, lsl #16
    0xd28022a8, // mov x8, #277
    0xd4000001, // svc #0
    0xb5000100, // cbnz x0, exit
    0xf9400be0, // ldr x0, [sp, #16]
    0x910043e1, // add x1, sp, #16
    0xf94003e3, // ldr x3, [sp]
    0x8b236fe2, // add x2, sp, x3, lsl #3
    0x91004042, // add x2, x2, #16
    0xd2801ba8, // mov x8, #221
    0xd4000001, // svc #0
    0xd2800fc0, // exit: mov x0, #126
    0xd2800ba8, // mov x8, #93
    0xd4000001, // svc #0
  };

  private static final int AARCH64_LOW = 5;
  private static final int AARCH64_HIGH = 6;

  private FilteredExec() {}

  /**
   * The program, as an ELF file.
   *
   * @param filter as {@link SeccompProfile} compiles it
   */
  public static byte[] file(byte[] filter) {
    boolean isIntel = Architecture.current() == Architecture.X86_64;
    int codeLength = isIntel ? X86_64.length() / 2 : 4 * AARCH64.length;
    int preambleAt = (HEADERS + codeLength + 7) / 8 * 8;
    byte[] code = isIntel ? intel(BASE + preambleAt) : arm(BASE + preambleAt);
    int size = preambleAt + PREAMBLE + filter.length;
    ByteBuffer file = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    file.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    file.putShort((short) 2).putShort((short) (isIntel ? 62 : 183)).putInt(1);
    file.putLong(BASE + HEADERS).putLong(64).putLong(0).putInt(0);
    file.putShort((short) 64).putShort((short) 56).putShort((short) 1);
    file.putShort((short) 0).putShort((short) 0).putShort((short) 0);
    // One segment, which is read and executed.
    file.putInt(1).putInt(5).putLong(0).putLong(BASE).putLong(BASE);
    file.putLong(size).putLong(size).putLong(0x10000);
    file.put(code).position(preambleAt);
    file.putShort((short) (filter.length / 8)).position(preambleAt + 8);
    file.putLong(BASE + preambleAt + PREAMBLE).put(filter);
    return file.array();
  }

  private static byte[] intel(long filter) {
    byte[] code = HexFormat.of().parseHex(X86_64);
    ByteBuffer.wrap(code).order(ByteOrder.LITTLE_ENDIAN).putInt(X86_64_FILTER_AT, (int) filter);
    return code;
  }

  private static byte[] arm(long filter) {
    ByteBuffer code = ByteBuffer.allocate(4 * AARCH64.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < AARCH64.length; i++) {
      int half =
          i == AARCH64_LOW
              ? (int) (filter & 0xffff)
              : i == AARCH64_HIGH ? (int) (filter >> 16 & 0xffff) : 0;
      code.putInt(AARCH64[i] | half << 5);
    }
    return code.array();
  }
}
