package dev.berth.policy.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.flowcontrol.SeatBorrowing.Level;
import dev.berth.policy.flowcontrol.SeatLimits.Shares;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How seats are divided, and lent. */
class SeatBorrowingTest {
  private static final DemandPeriod IDLE = new DemandPeriod(0, 0, 0, 0);

  private static DemandPeriod demand(int seats) {
    return new DemandPeriod(seats, seats, 0, seats);
  }

  private static Level limited(SeatLimits limits, DemandPeriod demand) {
    return new Level(false, limits, demand, limits.initial());
  }

  /** Upstream's levels, of 600 seats for 245 shares. */
  @ParameterizedTest
  @CsvSource({
    "5, 0, -1, 13, 13, 613",
    "30, 33, -1, 74, 50, 674",
    "40, 25, -1, 98, 73, 698",
    "100, 90, 50, 245, 24, 368",
    "20, 50, 0, 49, 24, 49",
    "0, 0, -1, 0, 0, 600"
  })
  void dividesByShares(
      long shares, long lendable, long borrowing, int nominal, int lowest, int highest) {
    assertThat(SeatLimits.of(new Shares(shares, lendable, borrowing), 245, 600))
        .isEqualTo(new SeatLimits(nominal, lowest, highest));
  }

  @Test
  void whoNeedsSeatsBorrowsThoseThatOthersLend() {
    SeatLimits limits = new SeatLimits(100, 50, 200);
    assertThat(SeatBorrowing.decide(List.of(limited(limits, demand(300)), limited(limits, IDLE))))
        .containsExactly(150, 50);
  }

  @Test
  void whoNeedsTheirSeatsAgainHasThemAgain() {
    SeatLimits limits = new SeatLimits(100, 50, 200);
    assertThat(
            SeatBorrowing.decide(
                List.of(limited(limits, demand(300)), limited(limits, demand(100)))))
        .containsExactly(100, 100);
  }

  @Test
  void nobodyBorrowsMoreThanTheyMay() {
    SeatLimits modest = new SeatLimits(100, 50, 110);
    SeatLimits generous = new SeatLimits(100, 10, 200);
    assertThat(SeatBorrowing.decide(List.of(limited(modest, demand(300)), limited(generous, IDLE))))
        .containsExactly(110, 90);
  }

  @Test
  void whatNobodyNeedsIsDividedInProportion() {
    SeatLimits limits = new SeatLimits(100, 0, 200);
    assertThat(
            SeatBorrowing.decide(List.of(limited(limits, demand(60)), limited(limits, demand(20)))))
        .containsExactly(150, 50);
  }

  @Test
  void exemptRequestsTakeFromTheOthersWhatTheyNeed() {
    SeatLimits limits = new SeatLimits(100, 50, 200);
    Level exempt = new Level(true, new SeatLimits(0, 0, 600), demand(50), 0);
    List<Level> levels =
        List.of(exempt, limited(limits, demand(100)), limited(limits, demand(100)));
    assertThat(SeatBorrowing.decide(levels)).containsExactly(50, 75, 75);
    Level many = new Level(true, new SeatLimits(0, 0, 600), demand(190), 0);
    assertThat(
            SeatBorrowing.decide(
                List.of(many, limited(limits, demand(100)), limited(limits, demand(100)))))
        .as("what is never lent stays")
        .containsExactly(190, 50, 50);
  }
}
