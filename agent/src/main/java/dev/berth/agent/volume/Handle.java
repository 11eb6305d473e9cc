package dev.berth.agent.volume;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.nativecalls.Descriptors;
import dev.berth.agent.nativecalls.NativeFailure;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An open file or directory. What is done through it is done to that very file, whatever its path
 * means by then.
 */
final class Handle implements AutoCloseable {
  private static final byte[] ITSELF = {};
  private static final int LIST_BUFFER = 32 * 1024;
  private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final int ENTRY_LENGTH = 16;
  private static final int ENTRY_NAME = 19;

  private static final int DIRECTORY =
      Syscalls.O_DIRECTORY | Syscalls.O_NOFOLLOW | Syscalls.O_CLOEXEC;
  private static final int ANY = Syscalls.O_PATH | Syscalls.O_NOFOLLOW | Syscalls.O_CLOEXEC;

  private final int descriptor;

  private Handle(int descriptor) {
    this.descriptor = descriptor;
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /** Opens a directory by a path of ours, whose last part is no link. */
  static Handle directory(Path path) throws NativeFailure {
    return new Handle(Syscalls.openat(Syscalls.AT_FDCWD, bytes(path.toString()), DIRECTORY));
  }

  /** Opens whatever a path of the machine names, following links; it can be looked at only. */
  static Handle follow(String path) throws NativeFailure {
    return new Handle(
        Syscalls.openat(Syscalls.AT_FDCWD, bytes(path), Syscalls.O_PATH | Syscalls.O_CLOEXEC));
  }

  /** Opens a directory in this one, unless it is a link. */
  Handle openDirectory(byte[] name) throws NativeFailure {
    return new Handle(Syscalls.openat(descriptor, name, DIRECTORY));
  }

  /** Opens whatever is in this directory, be it a link: to look at it and to change its owner. */
  Handle open(byte[] name) throws NativeFailure {
    return new Handle(Syscalls.openat(descriptor, name, ANY));
  }

  /** Opens what a path in this directory leads to, if that is in this directory too. */
  Handle openBeneath(String path) throws NativeFailure {
    int flags = Syscalls.O_PATH | Syscalls.O_CLOEXEC;
    return new Handle(Syscalls.openBeneath(descriptor, bytes(path), flags));
  }

  FileStat stat() throws NativeFailure {
    return Syscalls.stat(descriptor, ITSELF);
  }

  FileStat stat(byte[] name) throws NativeFailure {
    return Syscalls.stat(descriptor, name);
  }

  void makeDirectory(byte[] name, int mode) throws NativeFailure {
    Syscalls.mkdirat(descriptor, name, mode);
  }

  void removeFile(byte[] name) throws NativeFailure {
    Syscalls.unlinkat(descriptor, name, 0);
  }

  void removeDirectory(byte[] name) throws NativeFailure {
    Syscalls.unlinkat(descriptor, name, Syscalls.AT_REMOVEDIR);
  }

  void move(byte[] name, Handle to, byte[] newName) throws NativeFailure {
    Syscalls.renameat(descriptor, name, to.descriptor, newName);
  }

  /** Changes owner and group; -1 leaves one as it is. Of a link, it is the link's own. */
  void changeOwner(long user, long group) throws NativeFailure {
    Syscalls.chown(descriptor, (int) user, (int) group);
  }

  /** Not for links, which have no permissions. */
  void changeMode(int mode) throws NativeFailure {
    Syscalls.chmod(bytes(path()), mode);
  }

  /** A path that means this file, whatever has become of its name. Valid while it is open. */
  String path() {
    return "/proc/self/fd/" + descriptor;
  }

  /** The next names of what is in this directory; none at its end. */
  List<byte[]> nextNames() throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(LIST_BUFFER, Long.BYTES);
      int length = Syscalls.entries(descriptor, buffer);
      List<byte[]> names = new ArrayList<>();
      for (int at = 0; at < length; ) {
        int end = at + Short.toUnsignedInt(buffer.get(U16, at + (long) ENTRY_LENGTH));
        byte[] name = name(buffer, at + ENTRY_NAME, end);
        if (!isSelfOrParent(name)) {
          names.add(name);
        }
        at = end;
      }
      // A batch of nothing but the directory itself and its parent is not the end.
      return length > 0 && names.isEmpty() ? nextNames() : names;
    }
  }

  private static byte[] name(MemorySegment buffer, int from, int end) {
    int length = 0;
    while (from + length < end && buffer.get(ValueLayout.JAVA_BYTE, from + (long) length) != 0) {
      length++;
    }
    return buffer.asSlice(from, length).toArray(ValueLayout.JAVA_BYTE);
  }

  private static boolean isSelfOrParent(byte[] name) {
    return name[0] == '.' && (name.length == 1 || (name.length == 2 && name[1] == '.'));
  }

  @Override
  public void close() {
    Descriptors.close(descriptor);
  }
}
