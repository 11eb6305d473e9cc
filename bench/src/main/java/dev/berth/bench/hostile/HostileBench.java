package dev.berth.bench.hostile;

import static dev.berth.bench.Figure.Better.LOWER;

import dev.berth.bench.Figure;
import dev.berth.bench.Folders;
import dev.berth.bench.api.Berth;
import dev.berth.pki.Trust;
import dev.berth.serving.wire.WireFormat;
import dev.berth.sim.hostile.HostileBodies;
import dev.berth.sim.hostile.HostileRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sends hostile bodies to a server one after the other, one in forty of them of 3 MB, and prints
 * what the costliest took of its processors, how many answers were the server's failure, and what
 * its heap holds afterwards. {@code bench/run hostile [bodies] [seed]}.
 *
 * <p>What is measured is the whole process, its compiler and its garbage collector included. So a
 * body that seems to cost too much is sent twice more, and the least of the three is its cost.
 */
public final class HostileBench {
  private static final int ONE_IN = 40;
  private static final int BAR = 300;
  private static final int LARGE = 3_000_000;
  private static final int SMALL = 60_000;

  /** Enough of each kind to have what it runs compiled. */
  private static final int WARM_UP = 2_000;

  /** What was accepted and deleted again is in the history for watches for five minutes. */
  private static final Duration HISTORY_IS_RELEASED = Duration.ofMinutes(6);

  private static final Pattern NAME = Pattern.compile("\"name\":\"(hostile-[^\"]+)\"");

  private final Berth berth;
  private final HttpClient http;

  private HostileBench(Berth berth) {
    this.berth = berth;
    this.http = HttpClient.newBuilder().sslContext(Trust.in(berth.authority())).build();
  }

  public static void main(String... arguments) throws Exception {
    int bodies = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20_000;
    long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : 1;
    Path folder = Files.createTempDirectory("berth-bench");
    try (Berth berth = Berth.serverAlone(folder.resolve("data"))) {
      new HostileBench(berth).run(bodies, seed);
    } finally {
      Folders.delete(folder);
    }
  }

  private void run(int bodies, long seed) throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(seed);
    HostileBodies hostile = new HostileBodies(random, WireFormat.PROTOBUF::bytes);
    for (HostileRequest target : hostile.targets()) {
      int status = send(target);
      if (status != 201) {
        throw new IOException("The target of patches was answered with " + status + ".");
      }
    }
    double before = berth.liveMegabytes();
    for (int i = 0; i < Math.min(WARM_UP, bodies); i++) {
      send(hostile.next(i % ONE_IN == 0 ? LARGE : 1 + random.nextInt(SMALL)));
    }
    double[] large = new double[Math.ceilDiv(bodies, ONE_IN)];
    double[] small = new double[bodies - large.length];
    int failures = 0;
    double first = 0;
    double worst = 0;
    for (int i = 0; i < bodies; i++) {
      boolean isLarge = i % ONE_IN == 0;
      HostileRequest request = hostile.next(isLarge ? LARGE : 1 + random.nextInt(SMALL));
      double began = berth.cpuMicros();
      int status = send(request);
      double millis = millisSince(began);
      failures += status >= 500 ? 1 : 0;
      first = Math.max(first, millis);
      for (int again = 0; again < 2 && millis > BAR; again++) {
        began = berth.cpuMicros();
        send(request);
        millis = Math.min(millis, millisSince(began));
      }
      if (status >= 500 || millis > worst) {
        worst = Math.max(worst, millis);
        System.out.printf(
            "%s, %d bytes: %.0f ms, status %d%n",
            request.what(), request.body().length, millis, status);
      }
      if (isLarge) {
        large[i / ONE_IN] = millis;
      } else {
        small[i - i / ONE_IN - 1] = millis;
      }
    }
    new Figure("processor time of bodies of 3 MB", "ms", Double.NaN, LOWER).print(large);
    new Figure("processor time of smaller bodies", "ms", Double.NaN, LOWER).print(small);
    new Figure("processor time of the process meanwhile", "ms", Double.NaN, LOWER).print(first);
    new Figure("processor time of the costliest", "ms", BAR, LOWER).print(worst);
    new Figure("answers of 500 and above", "", 0, LOWER).print(failures);
    new Figure("growth of the live heap, with five minutes of history", "MB", Double.NaN, LOWER)
        .print(berth.liveMegabytes() - before);
    Thread.sleep(HISTORY_IS_RELEASED);
    new Figure("growth of the live heap", "MB", 16, LOWER).print(berth.liveMegabytes() - before);
  }

  private double millisSince(double cpuMicros) {
    return (berth.cpuMicros() - cpuMicros) / 1e3;
  }

  private int send(HostileRequest request) throws IOException, InterruptedException {
    // What has finalizers would not go.
    boolean rehearsed = request.what().startsWith("FINALIZERS");
    HttpResponse<String> response =
        http.send(
            to(request.path() + (rehearsed ? "?dryRun=All" : ""))
                .header("Content-Type", request.contentType())
                .method(request.method(), HttpRequest.BodyPublishers.ofByteArray(request.body()))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    Matcher name = NAME.matcher(response.body());
    if (response.statusCode() == 201 && !rehearsed && name.find()) {
      http.send(
          to(request.path() + "/" + name.group(1) + "?gracePeriodSeconds=0").DELETE().build(),
          HttpResponse.BodyHandlers.discarding());
    }
    return response.statusCode();
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(berth.url(path)))
        .header("Authorization", "Bearer " + Berth.TOKEN);
  }
}
