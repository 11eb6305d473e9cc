package dev.berth.sim.report;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real Chromium without a window, driven by ChromeDriver as the WebDriver standard says. */
final class Browser implements AutoCloseable {
  private static final Pattern PORT = Pattern.compile("on port (\\d+)");

  private final Process driver;
  private final HttpClient http = HttpClient.newHttpClient();
  private final String session;

  private Browser(Process driver, String server, Path profile)
      throws IOException, InterruptedException {
    this.driver = driver;
    JsonArray arguments =
        JsonArray.copyOf(
            List.of(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + profile));
    JsonObject wanted =
        JsonObject.of(
            "capabilities",
            JsonObject.of(
                "alwaysMatch",
                JsonObject.of("goog:chromeOptions", JsonObject.of("args", arguments))));
    String id = post(server + "/session", wanted).object("value").text("sessionId", "");
    session = server + "/session/" + id;
  }

  static Browser start(Path profile) throws IOException, InterruptedException {
    Process driver =
        new ProcessBuilder("chromedriver", "--port=0").redirectErrorStream(true).start();
    BufferedReader said =
        new BufferedReader(new InputStreamReader(driver.getInputStream(), StandardCharsets.UTF_8));
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      Matcher port = PORT.matcher(line);
      if (line.contains("successfully") && port.find()) {
        return new Browser(driver, "http://127.0.0.1:" + port.group(1), profile);
      }
    }
    throw new IOException("ChromeDriver did not start");
  }

  private JsonObject post(String url, JsonObject body) throws IOException, InterruptedException {
    HttpResponse<byte[]> response =
        http.send(
            HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(JsonWriter.toBytes(body)))
                .build(),
            HttpResponse.BodyHandlers.ofByteArray());
    String answer = new String(response.body(), StandardCharsets.UTF_8);
    if (response.statusCode() != 200) {
      throw new IOException(url + ": " + answer);
    }
    return JsonReader.object(response.body(), JsonLimits.REQUEST);
  }

  void open(Path page) throws IOException, InterruptedException {
    post(session + "/url", JsonObject.of("url", page.toUri().toString()));
  }

  /** What an expression of JavaScript is. */
  Object evaluate(String expression) throws IOException, InterruptedException {
    JsonObject script =
        new JsonObject.Builder()
            .put("script", "return " + expression)
            .put("args", JsonArray.EMPTY)
            .build();
    Object value = post(session + "/execute/sync", script).get("value");
    return value == null ? JsonNull.NULL : value;
  }

  void resize(int width, int height) throws IOException, InterruptedException {
    command(
        "Emulation.setDeviceMetricsOverride",
        new JsonObject.Builder()
            .put("width", (long) width)
            .put("height", (long) height)
            .put("deviceScaleFactor", 1L)
            .put("mobile", true)
            .build());
  }

  void dark() throws IOException, InterruptedException {
    JsonObject feature =
        new JsonObject.Builder().put("name", "prefers-color-scheme").put("value", "dark").build();
    command("Emulation.setEmulatedMedia", JsonObject.of("features", JsonArray.of(feature)));
  }

  /** The page as it is printed: how many bytes of PDF, in base64. */
  int print() throws IOException, InterruptedException {
    return post(session + "/print", JsonObject.EMPTY).text("value", "").length();
  }

  private void command(String name, JsonObject parameters)
      throws IOException, InterruptedException {
    post(
        session + "/goog/cdp/execute",
        new JsonObject.Builder().put("cmd", name).put("params", parameters).build());
  }

  @Override
  public void close() {
    try {
      http.send(
          HttpRequest.newBuilder(URI.create(session)).DELETE().build(),
          HttpResponse.BodyHandlers.discarding());
    } catch (IOException e) {
      // The driver is ended below in any case.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    driver.descendants().forEach(ProcessHandle::destroyForcibly);
    driver.destroyForcibly().onExit().join();
    http.close();
  }
}
