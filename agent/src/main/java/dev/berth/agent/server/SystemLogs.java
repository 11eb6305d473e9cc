package dev.berth.agent.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.http.Exchange;
import dev.berth.http.Headers;
import dev.berth.http.Response;
import dev.berth.http.ResponseStream;
import dev.berth.http.Streaming;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The machine's own logs at {@code /logs/}: the files of its log directory, and, where queries are
 * allowed, what its services have logged.
 *
 * <p>Unlike upstream, a link that leads out of that directory is not followed: whoever may write a
 * log there could have the agent show any file of the machine.
 */
final class SystemLogs {
  private static final int OK = 200;
  private static final int MOVED = 301;
  private static final int NOT_FOUND = 404;
  private static final int NOT_ACCEPTABLE = 406;
  private static final int PIECE = 1 << 16;

  private final Path directory;
  private final Optional<ServiceLogs> queries;

  /**
   * @param directory such as {@code /var/log}
   * @param queries answers queries; empty where they are not allowed
   */
  SystemLogs(Path directory, Optional<ServiceLogs> queries) {
    this.directory = directory;
    this.queries = queries;
  }

  /**
   * Answers a request.
   *
   * @param path what follows {@code logs} in the request's path
   */
  void serve(Exchange exchange, List<String> path, NodeQuery query) throws Refusal {
    List<String> names = path.stream().filter(name -> !name.isEmpty()).toList();
    if (queries.isPresent()) {
      Optional<SystemLogQuery> asked = SystemLogQuery.of(query);
      if (asked.isPresent()) {
        if (!names.isEmpty()) {
          throw new Refusal(NOT_ACCEPTABLE, "path not allowed in query mode");
        }
        if (!asked.get().services().isEmpty()) {
          write(exchange, "text/plain;charset=UTF-8", out -> queries.get().copy(asked.get(), out));
          return;
        }
        names =
            Arrays.stream(asked.get().files().getFirst().replace('\\', '/').split("/", -1))
                .filter(name -> !name.isEmpty())
                .toList();
      }
    }
    Path found = find(names);
    if (!Files.isDirectory(found)) {
      write(exchange, "text/plain; charset=utf-8", out -> copy(found, out));
    } else if (exchange.path().endsWith("/") || !exchange.query().orElse("").isEmpty()) {
      exchange.respond(Response.of(OK, "text/html; charset=utf-8", listing(found)));
    } else {
      // So that the names in it lead into the directory.
      String own = exchange.path().substring(exchange.path().lastIndexOf('/') + 1);
      exchange.answerWith("Location", own + "/");
      exchange.respond(NodeRoutes.text(MOVED, ""));
    }
  }

  /** A file or a directory among the logs; what is neither could never be read to its end. */
  private Path find(List<String> names) throws Refusal {
    try {
      Path root = directory.toRealPath();
      Path found = root.resolve(String.join("/", names)).toRealPath();
      boolean isThere = found.startsWith(root);
      if (isThere && (Files.isDirectory(found) || Files.isRegularFile(found))) {
        return found;
      }
    } catch (IOException | IllegalArgumentException e) {
      // As if it were not there, as below.
    }
    throw new Refusal(NOT_FOUND, "404 page not found");
  }

  private static byte[] listing(Path directory) throws Refusal {
    StringBuilder page = new StringBuilder("<!doctype html>\n<pre>\n");
    try (Stream<Path> children = Files.list(directory)) {
      for (Path child : children.sorted().toList()) {
        String name = child.getFileName() + (Files.isDirectory(child) ? "/" : "");
        page.append("<a href=\"")
            .append(URLEncoder.encode(name, UTF_8).replace("+", "%20").replace("%2F", "/"))
            .append("\">")
            .append(name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
            .append("</a>\n");
      }
    } catch (IOException e) {
      throw new Refusal(NOT_FOUND, "404 page not found");
    }
    return page.append("</pre>\n").toString().getBytes(UTF_8);
  }

  /** Takes what is to be sent; false when nobody wants more. */
  @FunctionalInterface
  interface Output {
    boolean write(byte[] bytes);
  }

  /** Something that is written out bit by bit. */
  @FunctionalInterface
  private interface Content {
    void copyTo(Output out) throws IOException;
  }

  private static void write(Exchange exchange, String type, Content content) {
    try (ResponseStream stream =
        exchange.stream(OK, Headers.of("Content-Type", type), Streaming.BULK)) {
      try {
        content.copyTo(stream::write);
      } catch (IOException e) {
        stream.abort();
      }
    }
  }

  /** Copies a file as long as it is when it is opened: one that is written to has no end. */
  static void copy(Path file, Output out) throws IOException {
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      long left = Files.size(file);
      byte[] piece = in.readNBytes((int) Math.min(PIECE, left));
      while (piece.length > 0 && out.write(piece)) {
        left -= piece.length;
        piece = in.readNBytes((int) Math.min(PIECE, left));
      }
    }
  }
}
