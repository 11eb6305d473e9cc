package dev.berth.agent.nativecalls;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Mounts of the calling thread's mount namespace. Places within a container's root are named by a
 * descriptor of that root and a path that is resolved as if the root were {@code /}: a symbolic
 * link in it, whoever made it and whenever, never leads out.
 */
public final class Mounts {
  public static final int READ_ONLY = 1;
  public static final int NO_SUID = 2;
  public static final int NO_DEVICES = 4;
  public static final int NO_EXEC = 8;
  public static final int REMOUNT = 0x20;
  public static final int BIND = 0x1000;
  public static final int RECURSIVE = 0x4000;
  public static final int PRIVATE = 1 << 18;
  public static final int SLAVE = 1 << 19;

  private static final int DETACH = 2;
  private static final int AT_FDCWD = -100;
  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int AT_RECURSIVE = 0x8000;
  private static final int OPEN_TREE_CLONE = 1;
  private static final int FROM_AND_TO_DESCRIPTORS = 0x4 | 0x40;
  private static final int O_PATH = 0x200000;
  private static final int RESOLVE_NO_MAGICLINKS = 2;
  private static final int RESOLVE_IN_ROOT = 0x10;

  private Mounts() {}

  public static void mount(String source, String target, String type, long flags, String data)
      throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      Kernel.call(
          Syscall.MOUNT,
          Kernel.text(arena, source),
          Kernel.text(arena, target),
          Kernel.text(arena, type),
          flags,
          Kernel.text(arena, data));
    } catch (NativeFailure e) {
      throw e.about(target);
    }
  }

  /** Unmounts what is at a place, even if it is in use, for all who look from now on. */
  public static void detach(String target) throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      Kernel.call(Syscall.UMOUNT2, Kernel.text(arena, target), DETACH);
    } catch (NativeFailure e) {
      throw e.about(target);
    }
  }

  /** Opens a directory as a root for others of these calls. */
  public static int openRoot(String directory) throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      return (int)
          Kernel.call(
              Syscall.OPENAT,
              AT_FDCWD,
              Kernel.text(arena, directory),
              O_PATH | Descriptors.O_CLOEXEC);
    } catch (NativeFailure e) {
      throw e.about(directory);
    }
  }

  /** Opens a place in a root. */
  public static int openIn(int root, String path) throws NativeFailure {
    return openIn(root, path, O_PATH);
  }

  /** Opens a file in a root. */
  static int openIn(int root, String path, int flags) throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment how = arena.allocate(24, 8);
      how.set(ValueLayout.JAVA_LONG, 0, flags | Descriptors.O_CLOEXEC);
      how.set(ValueLayout.JAVA_LONG, 16, RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS);
      return (int)
          Kernel.call(
              Syscall.OPENAT2, root, Kernel.text(arena, path), how.address(), how.byteSize());
    } catch (NativeFailure e) {
      throw e.about(path);
    }
  }

  /** Makes a directory, or an empty file, and all directories above it where there is nothing. */
  public static void make(int root, String path, boolean isDirectory) throws NativeFailure {
    String[] names = path.split("/+", -1);
    StringBuilder parent = new StringBuilder("/");
    for (int i = 0; i < names.length; i++) {
      if (!names[i].isEmpty()) {
        makeOne(root, parent.toString(), names[i], isDirectory || i < names.length - 1);
        parent.append(names[i]).append('/');
      }
    }
  }

  private static void makeOne(int root, String parent, String name, boolean isDirectory)
      throws NativeFailure {
    int directory = openIn(root, parent);
    try (Arena arena = Arena.ofConfined()) {
      long text = Kernel.text(arena, name);
      if (isDirectory) {
        Kernel.call(Syscall.MKDIRAT, directory, text, 0755);
      } else {
        Kernel.call(Syscall.MKNODAT, directory, text, 0x8000 | 0644, 0);
      }
    } catch (NativeFailure e) {
      if (e.errno() != NativeFailure.EEXIST && !exists(root, parent + name)) {
        throw e.about(parent + name);
      }
    } finally {
      Descriptors.close(directory);
    }
  }

  public static boolean exists(int root, String path) {
    try {
      Descriptors.close(openIn(root, path));
      return true;
    } catch (NativeFailure e) {
      return false;
    }
  }

  /** Makes a symbolic link in a directory that there is. */
  public static void makeLink(int root, String path, String target) throws NativeFailure {
    int name = path.lastIndexOf('/') + 1;
    int directory = openIn(root, path.substring(0, name));
    try (Arena arena = Arena.ofConfined()) {
      Kernel.call(
          Syscall.SYMLINKAT,
          Kernel.text(arena, target),
          directory,
          Kernel.text(arena, path.substring(name)));
    } catch (NativeFailure e) {
      throw e.about(path);
    } finally {
      Descriptors.close(directory);
    }
  }

  /** Mounts a file system at a place in a root. */
  public static void mountIn(int root, String path, String type, long flags, String data)
      throws NativeFailure {
    int place = openIn(root, path);
    try {
      mount(type, "/proc/thread-self/fd/" + place, type, flags, data);
    } catch (NativeFailure e) {
      throw e.about(path);
    } finally {
      Descriptors.close(place);
    }
  }

  /**
   * Mounts a file or directory of the machine at a place in a root.
   *
   * @param attributes such as {@link #READ_ONLY}
   */
  public static void bindIn(
      int root, String path, String source, boolean recursive, long attributes)
      throws NativeFailure {
    int tree = copy(source, recursive);
    try {
      setAttributes(tree, recursive, attributes, PRIVATE);
      attach(tree, root, path);
    } finally {
      Descriptors.close(tree);
    }
  }

  /**
   * A mount of a file or directory that is nowhere yet. If its own mount is shared, it is a peer of
   * that.
   *
   * @param recursive whether it has what is mounted within
   */
  public static int copy(String source, boolean recursive) throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      return (int)
          Kernel.call(
              Syscall.OPEN_TREE,
              AT_FDCWD,
              Kernel.text(arena, source),
              OPEN_TREE_CLONE | Descriptors.O_CLOEXEC | (recursive ? AT_RECURSIVE : 0));
    } catch (NativeFailure e) {
      throw e.about(source);
    }
  }

  /** Gives a mount that is nowhere yet its place in a root. */
  public static void attach(int tree, int root, String path) throws NativeFailure {
    int place = openIn(root, path);
    try (Arena arena = Arena.ofConfined()) {
      long empty = Kernel.text(arena, "");
      Kernel.call(Syscall.MOVE_MOUNT, tree, empty, place, empty, FROM_AND_TO_DESCRIPTORS);
    } catch (NativeFailure e) {
      throw e.about(path);
    } finally {
      Descriptors.close(place);
    }
  }

  /**
   * Changes a mount.
   *
   * @param recursive also those within it
   * @param attributes such as {@link #READ_ONLY}, added to those that it has
   * @param propagation {@link #PRIVATE}, {@link #SLAVE}, or 0 to leave it
   */
  public static void setAttributes(int mount, boolean recursive, long attributes, long propagation)
      throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment change = arena.allocate(32, 8);
      change.set(ValueLayout.JAVA_LONG, 0, attributes);
      change.set(ValueLayout.JAVA_LONG, 16, propagation);
      Kernel.call(
          Syscall.MOUNT_SETATTR,
          mount,
          Kernel.text(arena, ""),
          AT_EMPTY_PATH | (recursive ? AT_RECURSIVE : 0),
          change.address(),
          change.byteSize());
    }
  }

  /** Makes a root {@code /} of the thread's mount namespace, of which nothing else remains. */
  public static void pivot(int root) throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      long here = Kernel.text(arena, ".");
      Kernel.call(Syscall.FCHDIR, root);
      Kernel.call(Syscall.PIVOT_ROOT, here, here);
      Kernel.call(Syscall.UMOUNT2, here, DETACH);
      Kernel.call(Syscall.CHDIR, Kernel.text(arena, "/"));
    }
  }
}
