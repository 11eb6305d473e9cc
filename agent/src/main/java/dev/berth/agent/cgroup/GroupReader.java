package dev.berth.agent.cgroup;

import dev.berth.agent.runtime.GroupProcesses;
import dev.berth.agent.runtime.PodGroups.Group;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** Reads all that the kernel tells of a group and of its processes, for metrics. */
public final class GroupReader {
  private final Cgroups cgroups;
  private final Path proc;

  /**
   * @param proc where the kernel shows processes
   */
  public GroupReader(Cgroups cgroups, Path proc) {
    this.cgroups = cgroups;
    this.proc = proc;
  }

  /** What is not there any more has used nothing. */
  public Group read(String group) {
    return new Group(
        group, cgroups.details(group), processes(group), cgroups.outOfMemoryKills(group));
  }

  private GroupProcesses processes(String group) {
    List<Long> processes;
    try {
      processes = cgroups.processes(group);
    } catch (IOException e) {
      processes = List.of(); // it has just gone
    }
    long descriptors = 0;
    long sockets = 0;
    for (long process : processes) {
      try (DirectoryStream<Path> open = Files.newDirectoryStream(proc.resolve(process + "/fd"))) {
        for (Path each : open) {
          descriptors++;
          sockets += isSocket(each) ? 1 : 0;
        }
      } catch (IOException | DirectoryIteratorException e) {
        // It has just ended.
      }
    }
    return new GroupProcesses(
        processes.size(),
        cgroups.usage(group).processes(),
        cgroups.threadLimit(group),
        descriptors,
        sockets,
        processes.isEmpty() ? OptionalLong.empty() : fileLimit(processes.getFirst()));
  }

  private static boolean isSocket(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
    } catch (IOException e) {
      return false; // it was closed
    }
  }

  /** Of a line such as {@code Max open files 1024 524288 files}, the first number. */
  private OptionalLong fileLimit(long process) {
    String name = "Max open files";
    return CgroupFiles.read(proc.resolve(process + "/limits")).stream()
        .flatMap(String::lines)
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).strip().split(" ", 2)[0])
        .filter(limit -> !limit.equals("unlimited"))
        .mapToLong(Long::parseLong)
        .findFirst();
  }
}
