package dev.berth.sim.report;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One page that needs nothing else: the data, and a script that draws them. Two simulations stand
 * side by side.
 */
public final class HtmlReport {
  private static final String DATA = "{{data}}";
  private static final String TITLE = "{{title}}";

  private HtmlReport() {}

  /**
   * The page.
   *
   * @param simulations as {@link ReportData} has them: one, or two to compare
   * @param runs what each of several runs with other seeds came to, for the spread; may be empty
   */
  public static String of(List<JsonObject> simulations, List<JsonObject> runs) {
    JsonObject data =
        new JsonObject.Builder()
            .put("simulations", JsonArray.copyOf(simulations))
            .put("runs", JsonArray.copyOf(runs))
            .build();
    // A script ends at the first end tag, also within a string.
    String embedded = JsonWriter.toText(data).replace("</", "<\\/").replace("<!--", "<\\u0021--");
    return page()
        .replace(TITLE, escaped(simulations.getFirst().text("name", "")))
        .replace(DATA, embedded);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static String page() {
    try (InputStream page = HtmlReport.class.getResourceAsStream("report.html")) {
      if (page == null) {
        throw new IllegalStateException("report.html is missing");
      }
      return new String(page.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
