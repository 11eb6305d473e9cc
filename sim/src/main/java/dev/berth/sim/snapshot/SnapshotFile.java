package dev.berth.sim.snapshot;

import dev.berth.model.config.ConfigException;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RecursiveTask;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;

/**
 * A snapshot as a file: JSON lines, packed with gzip. The first line says what it is and when it
 * was taken; then, for each resource, a line with its name and how many follow, and they. What is
 * the same is written the same.
 */
public final class SnapshotFile {
  private static final String KIND = "ClusterSnapshot";
  private static final String VERSION = "berth.dev/v1alpha1";
  private static final int BUFFER = 1 << 16;
  private static final int GZIP_MAGIC = 0x1f;

  /** So many objects are read at a time by one thread: some milliseconds' work. */
  private static final int BATCH = 500;

  private SnapshotFile() {}

  /** Packs fast rather than small: most of a snapshot's size is repetition. */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, BUFFER);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  /** Writes a snapshot; the stream is left open. */
  public static void write(ClusterSnapshot snapshot, OutputStream out) throws IOException {
    GZIPOutputStream packed = new FastGzip(out);
    OutputStream lines = new BufferedOutputStream(packed, BUFFER);
    line(
        new JsonObject.Builder()
            .put("apiVersion", VERSION)
            .put("kind", KIND)
            .put("takenAt", snapshot.takenAt().toString())
            .put("settings", JsonObject.ofStrings(snapshot.settings()))
            .put("unseen", JsonArray.copyOf(snapshot.unseen()))
            .build(),
        lines);
    for (String resource : snapshot.resources()) {
      List<JsonObject> objects = snapshot.list(resource);
      line(
          new JsonObject.Builder()
              .put("resource", resource)
              .put("count", (long) objects.size())
              .build(),
          lines);
      for (JsonObject object : objects) {
        line(object, lines);
      }
    }
    lines.flush();
    packed.finish();
  }

  private static void line(JsonObject object, OutputStream lines) throws IOException {
    lines.write(JsonWriter.toBytes(object));
    lines.write('\n');
  }

  /**
   * Reads a file that {@link #write} has written, packed or not.
   *
   * @throws ConfigException if it cannot be read, or is something else
   */
  public static ClusterSnapshot read(Path file) {
    try (InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER)) {
      raw.mark(1);
      boolean isPacked = raw.read() == GZIP_MAGIC;
      raw.reset();
      return new Lines(isPacked ? new GZIPInputStream(raw, BUFFER) : raw).snapshot();
    } catch (NoSuchFileException e) {
      throw new ConfigException("There is no snapshot " + file + ".");
    } catch (EOFException | ZipException | JsonException | DateTimeException e) {
      throw new ConfigException(
          "%s is no snapshot that \"berth snapshot\" has written, or not all of it: %s"
              .formatted(file, e.getMessage()));
    } catch (IOException e) {
      throw new ConfigException(
          "The snapshot %s cannot be read: %s".formatted(file, e.getMessage()));
    }
  }

  /** Some of the objects of a file, whose lines are dropped once they are read. */
  private static final class Batch extends RecursiveTask<List<JsonObject>> {
    private static final long serialVersionUID = 1;

    private final transient List<byte[]> lines;

    Batch(List<byte[]> lines) {
      this.lines = lines;
    }

    @Override
    protected List<JsonObject> compute() {
      List<JsonObject> objects = lines.stream().map(Lines::object).toList();
      lines.clear();
      return objects;
    }
  }

  /** The lines of a file, in their order. */
  private static final class Lines {
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private int at;
    private int end;

    Lines(InputStream in) {
      this.in = in;
    }

    ClusterSnapshot snapshot() throws IOException {
      JsonObject header = next();
      if (!header.text("kind", "").equals(KIND)) {
        throw new JsonException("its first line does not say that it is a " + KIND);
      }
      if (!header.text("apiVersion", "").equals(VERSION)) {
        throw new JsonException(
            "it is of version %s, not %s".formatted(header.text("apiVersion", ""), VERSION));
      }
      Map<String, List<Batch>> batches = new HashMap<>();
      int resources = SnapshotContents.resources().size();
      for (int i = 0; i < resources; i++) {
        JsonObject list = next();
        batches.put(list.text("resource", ""), batches(list.integer("count").orElse(0)));
      }
      Map<String, List<JsonObject>> objects = new HashMap<>();
      batches.forEach((resource, parts) ->
          objects.put(resource, parts.stream().flatMap(part -> part.join().stream()).toList()));
      return new ClusterSnapshot(
          Instant.parse(header.text("takenAt", "")),
          objects,
          header.object("settings").toStrings(),
          header.array("unseen").texts());
    }

    /** Has the next lines read by others, while this thread goes on unpacking what follows. */
    private List<Batch> batches(long count) throws IOException {
      List<Batch> batches = new ArrayList<>();
      for (long left = count; left > 0; left -= BATCH) {
        List<byte[]> lines = new ArrayList<>();
        for (long line = 0; line < Math.min(BATCH, left); line++) {
          lines.add(nextLine());
        }
        Batch batch = new Batch(lines);
        var _ = batch.fork();
        batches.add(batch);
      }
      return batches;
    }

    private JsonObject next() throws IOException {
      return object(nextLine());
    }

    private static JsonObject object(byte[] line) {
      return JsonReader.object(line, JsonLimits.TRUSTED);
    }

    private byte[] nextLine() throws IOException {
      line.reset();
      while (true) {
        for (int i = at; i < end; i++) {
          if (buffer[i] == '\n') {
            line.write(buffer, at, i - at);
            at = i + 1;
            return line.toByteArray();
          }
        }
        line.write(buffer, at, end - at);
        at = 0;
        end = in.read(buffer);
        if (end < 0) {
          end = 0;
          throw new EOFException("it ends too early");
        }
      }
    }
  }
}
