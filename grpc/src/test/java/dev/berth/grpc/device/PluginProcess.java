package dev.berth.grpc.device;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@link DevicePluginProgram} as a process of its own. */
public final class PluginProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;
  private final Writer input;
  private final List<String> said = new ArrayList<>();

  public PluginProcess(Path directory, String resource, String... devices) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                DevicePluginProgram.class.getName(),
                directory.toString(),
                resource));
    command.addAll(List.of(devices));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    output = process.inputReader(UTF_8);
    input = process.outputWriter(UTF_8);
    await("serving ");
  }

  /** Tells it what to do. */
  public void tell(String line) throws IOException {
    input.write(line + "\n");
    input.flush();
  }

  /** Registers; what came of it. */
  public String register(String... words) throws IOException {
    tell(("register " + String.join(" ", words)).strip());
    return await("re");
  }

  /** Reads what it says until a line begins with a text; that line. */
  public String await(String text) throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      said.add(line);
      if (line.startsWith(text)) {
        return line;
      }
    }
    throw new AssertionError("It did not say \"" + text + "\" but " + said);
  }

  @Override
  public void close() {
    kill();
  }

  /** With -9. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }
}
