package dev.berth.cli.foresight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables fit the terminal that they are shown on. */
class TextTableTest {
  private static TextTable table(int width) {
    TextTable table = new TextTable(width, "  ", "AFTER", "POD", "NODE", "BECAUSE");
    table.row(
        "0s",
        "production/payment-service-7d4b9c6f5d-x2x4z",
        "ip-10-0-12-123.eu-west-1.compute.internal",
        "maintenance:NoExecute not tolerated");
    return table;
  }

  @Test
  void columnsAreAsWideAsTheirWidestCell() {
    assertThat(table(200).lines(true))
        .containsExactly(
            "  AFTER  POD                                          NODE                            "
                + "           BECAUSE",
            "  0s     production/payment-service-7d4b9c6f5d-x2x4z "
                + " ip-10-0-12-123.eu-west-1.compute.internal  maintenance:NoExecute not"
                + " tolerated");
  }

  @Test
  void longNamesGoOnBelowWhereTheTerminalIsNarrow() {
    List<String> lines = table(80).lines(true);
    assertThat(lines).allMatch(line -> line.length() <= 80);
    assertThat(lines)
        .containsExactly(
            "  AFTER  POD                      NODE                      BECAUSE",
            "  0s     production/payment-      ip-10-0-12-123.eu-west-   maintenance:",
            "         service-7d4b9c6f5d-      1.compute.internal        NoExecute not",
            "         x2x4z                                              tolerated");
  }

  @Test
  void aProgramFindsWholeNames() {
    assertThat(String.join("\n", table(80).lines(false)))
        .contains("production/payment-service-7d4b9c6f5d-x2x4z  ip-10-0-12-123.eu-west-1");
  }
}
