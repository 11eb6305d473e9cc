package dev.berth.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.time.VirtualTime;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** From SLF4J and the JDK to whoever wants their lines. */
class LogTest {
  private static final Logger STORE = LoggerFactory.getLogger("store");
  private static final Logger JETTY = LoggerFactory.getLogger("org.eclipse.jetty.server.Server");

  @Test
  void nothingIsLoggedUntilSomebodyWantsIt() {
    assertThat(STORE.isErrorEnabled()).isFalse();
    try (CapturedLog log = CapturedLog.from(Level.DEBUG)) {
      assertThat(STORE.isDebugEnabled()).isTrue();
      STORE.atDebug().addKeyValue("object", "a/b").addKeyValue("reason", 1).log("wrote {}", "it");
      assertThat(log.lines())
          .singleElement()
          .satisfies(line -> assertThat(line.component()).isEqualTo("store"))
          .satisfies(line -> assertThat(line.message()).isEqualTo("wrote it"))
          .satisfies(line -> assertThat(line.value("object")).isEqualTo("a/b"))
          .satisfies(line -> assertThat(line.value("reason")).isEqualTo("1"));
    }
    assertThat(STORE.isErrorEnabled()).isFalse();
  }

  @Test
  void eachComponentHasItsLevel() {
    LogRing ring = new LogRing(10);
    LogLevels levels = new LogLevels(Level.WARN, Map.of("scheduler", Level.DEBUG));
    try (var _ = Log.attach(levels, ring)) {
      STORE.info("not this");
      STORE.warn("this");
      LoggerFactory.getLogger("scheduler").debug("and this");
    }
    assertThat(ring.text(LogFormat.TEXT)).hasLineCount(2).contains(" this\n", " and this\n");
  }

  @Test
  void whatLibrariesCallInfoIsForThoseWhoDebugAndTheirDebugIsForNobody() {
    try (CapturedLog log = CapturedLog.from(Level.INFO)) {
      JETTY.info("Started Server");
      JETTY.warn("trouble", new IllegalStateException("why"));
      assertThat(log.text(LogFormat.TEXT))
          .contains(" WARN  http ", "cause=\"java.lang.IllegalStateException: why\"")
          .hasLineCount(1);
    }
    try (CapturedLog log = CapturedLog.from(Level.TRACE)) {
      JETTY.info("Started Server");
      JETTY.debug("Authorization: Bearer hidden");
      assertThat(log.messages()).containsExactly("Started Server");
    }
  }

  @Test
  void theJdkLogsHereToo() {
    try (CapturedLog log = CapturedLog.from(Level.INFO)) {
      System.getLogger("sun.something").log(System.Logger.Level.WARNING, "{0} is odd", "this");
      System.getLogger("jdk.httpclient.x").log(System.Logger.Level.ERROR, "broke", new Error("e"));
      assertThat(log.lines())
          .extracting(LogLine::component, LogLine::message)
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple("java", "this is odd"),
              org.assertj.core.groups.Tuple.tuple("client", "broke"));
    }
  }

  @Test
  void aLoopThatRunsOnVirtualTimeLogsVirtualTimes() {
    VirtualTime time = new VirtualTime(1, failure -> {});
    VirtualTime other = new VirtualTime(1, failure -> {});
    try (CapturedLog log = CapturedLog.from(Level.INFO, time)) {
      time.start("store").after(Duration.ofMinutes(5), () -> STORE.info("late"));
      other.start("store").after(Duration.ZERO, () -> STORE.info("elsewhere"));
      time.advance(Duration.ofMinutes(10));
      other.settle();
      assertThat(log.lines())
          .extracting(LogLine::time)
          .containsExactly(VirtualTime.EPOCH.plus(Duration.ofMinutes(5)));
    }
  }

  @Test
  void theRingKeepsTheLastLines() {
    LogRing ring = new LogRing(2);
    try (var _ = Log.attach(LogLevels.DEFAULT, ring)) {
      for (String message : new String[] {"one", "two", "three"}) {
        STORE.info(message);
      }
    }
    assertThat(ring.text(LogFormat.TEXT)).hasLineCount(2).doesNotContain("one").contains("three");
  }
}
