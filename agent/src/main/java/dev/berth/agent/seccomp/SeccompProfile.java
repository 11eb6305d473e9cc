package dev.berth.agent.seccomp;

import dev.berth.agent.nativecalls.Architecture;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A profile in the JSON of OCI runtimes and Docker: an action for all calls, and rules for some of
 * them by their names and arguments. Names that this machine does not have are left out, as other
 * runtimes do; rules with arguments come before those for all calls of a name.
 */
public final class SeccompProfile {
  private static final Map<String, Integer> ACTIONS =
      Map.of(
          "SCMP_ACT_KILL", 0,
          "SCMP_ACT_KILL_THREAD", 0,
          "SCMP_ACT_KILL_PROCESS", FilterProgram.KILL_PROCESS,
          "SCMP_ACT_TRAP", 0x00030000,
          "SCMP_ACT_ERRNO", 0x00050000,
          "SCMP_ACT_TRACE", 0x7ff00000,
          "SCMP_ACT_LOG", 0x7ffc0000,
          "SCMP_ACT_ALLOW", FilterProgram.ALLOW);

  private static final long NOT_PERMITTED = 1;
  private static final int NOT_IMPLEMENTED = 0x00050000 | 38;

  /** Calls of the 32-bit interface of x86-64 begin here. */
  private static final int X32 = 0x40000000;

  private static final long LARGEST_ERROR = 0xffff;
  private static final int ARGUMENTS = 6;

  private final JsonObject profile;
  private final Set<String> capabilities;

  private SeccompProfile(JsonObject profile, Set<String> capabilities) {
    this.profile = profile;
    this.capabilities = capabilities;
  }

  /**
   * Compiles one to what the kernel takes.
   *
   * @param capabilities of the container, without {@code CAP_}, which some rules ask for
   * @throws IOException if it cannot be read, or says something that is not understood
   */
  public static byte[] compile(Path file, Set<String> capabilities) throws IOException {
    JsonObject tree;
    try {
      tree = JsonReader.object(Files.readAllBytes(file), JsonLimits.TRUSTED);
    } catch (NoSuchFileException e) {
      throw new IOException("there is no such file on this node", e);
    } catch (RuntimeException e) {
      throw new IOException("it is no JSON object: " + e.getMessage(), e);
    }
    return new SeccompProfile(tree, capabilities).compile();
  }

  private byte[] compile() throws IOException {
    FilterProgram program = new FilterProgram(Architecture.current().audit());
    if (Architecture.current() == Architecture.X86_64) {
      program.returnFrom(X32, NOT_IMPLEMENTED);
    }
    SystemCalls calls = new SystemCalls();
    int otherwise = action(profile, "defaultAction", "defaultErrnoRet");
    for (boolean hasArguments : List.of(true, false)) {
      for (JsonObject rule : profile.array("syscalls").objects()) {
        List<ArgumentCondition> conditions = conditions(rule);
        if (applies(rule) && conditions.isEmpty() != hasArguments) {
          int result = action(rule, "action", "errnoRet");
          for (String name : names(rule)) {
            calls.number(name).ifPresent(number -> program.returnIf(number, conditions, result));
          }
        }
      }
    }
    program.returnAlways(otherwise);
    if (program.size() > FilterProgram.LARGEST) {
      throw new IOException("its rules come to more than the kernel takes");
    }
    return program.toBytes();
  }

  private static int action(JsonObject from, String field, String errorField) throws IOException {
    String name = from.text(field, "");
    Integer action = ACTIONS.get(name);
    if (action == null) {
      throw new IOException(
          "%s \"%s\" is not one of %s"
              .formatted(
                  field, name, String.join(", ", ACTIONS.keySet().stream().sorted().toList())));
    }
    boolean hasError = name.equals("SCMP_ACT_ERRNO") || name.equals("SCMP_ACT_TRACE");
    long error = from.integer(errorField).orElse(NOT_PERMITTED);
    if (error < 0 || error > LARGEST_ERROR) {
      throw new IOException("%s %d is no error number".formatted(errorField, error));
    }
    return hasError ? action | (int) error : action;
  }

  private static List<String> names(JsonObject rule) {
    List<String> names = new ArrayList<>(rule.array("names").texts());
    if (!rule.text("name", "").isEmpty()) {
      names.add(rule.text("name", ""));
    }
    return names;
  }

  /** Docker's profiles have rules for some architectures, or for who has a capability. */
  private boolean applies(JsonObject rule) {
    JsonObject includes = rule.object("includes");
    JsonObject excludes = rule.object("excludes");
    String own = Architecture.current() == Architecture.X86_64 ? "amd64" : "arm64";
    List<String> architectures = includes.array("arches").texts();
    return (architectures.isEmpty() || architectures.contains(own))
        && !excludes.array("arches").texts().contains(own)
        && includes.array("caps").texts().stream().allMatch(this::hasCapability)
        && excludes.array("caps").texts().stream().noneMatch(this::hasCapability);
  }

  private boolean hasCapability(String name) {
    return capabilities.contains(name.startsWith("CAP_") ? name.substring(4) : name);
  }

  private static List<ArgumentCondition> conditions(JsonObject rule) throws IOException {
    List<ArgumentCondition> conditions = new ArrayList<>();
    for (JsonObject argument : rule.array("args").objects()) {
      String operator = argument.text("op", "");
      long index = argument.integer("index").orElse(-1);
      if (index < 0 || index >= ARGUMENTS) {
        throw new IOException("args: index must be from 0 to 5");
      }
      conditions.add(
          new ArgumentCondition(
              (int) index,
              ArgumentCondition.Operator.of(operator)
                  .orElseThrow(() -> new IOException("args: unknown op \"" + operator + "\"")),
              argument.integer("value").orElse(0),
              argument.integer("valueTwo").orElse(0)));
    }
    return conditions;
  }
}
