package dev.berth.serving.connect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.Headers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a page of a pod links to is asked of the pod. */
class HtmlLinksTest {
  private static String prefixed(String url) {
    return "/proxy" + url;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          <a href="/x">test</a>                | <a href="/proxy/x">test</a>
          <A class=b HREF = '/x' >x            | <A class=b HREF = '/proxy/x' >x
          <img src=/x longdesc="/y"/>          | <img src=/proxy/x longdesc="/proxy/y"/>
          <p href="/x" title="<a href='/x'>">  | <p href="/x" title="<a href='/x'>">
          <!-- <a href="/x"> --><form action="/x"> | <!-- <a href="/x"> --><form action="/proxy/x">
          <script src="/x">"<a href='/x'>"</script><a href="/y"> | <script src="/proxy/x">"<a href='/x'>"</script><a href="/proxy/y">
          1 < 2 <a =x href                     | 1 < 2 <a =x href
          <a href="/unfinished                 | <a href="/unfinished
          """)
  void onlyLinksAreChanged(String page, String changed) {
    assertThat(HtmlLinks.change(page, HtmlLinksTest::prefixed)).isEqualTo(changed);
  }

  /** Whoever serves pages in a pod must not keep the server busy: one pass, not one per element. */
  @Test
  @Timeout(120)
  void aPageOfVeryManyScriptsIsReadInOnePass() {
    String page = "<SCRIPT><a href=/x></SCRIPT>".repeat(ProxiedPage.MOST_BYTES / 30);
    assertThat(HtmlLinks.change(page, HtmlLinksTest::prefixed)).isEqualTo(page);
  }

  @Test
  void aCompressedPageStaysCompressed() throws Exception {
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(sent)) {
      gzip.write("<a href=/ü>".getBytes(UTF_8));
    }
    Headers headers = Headers.of("Content-Type", "text/html; charset=utf-8");
    headers = headers.with("Content-Encoding", "gzip");
    assertThat(ProxiedPage.is(headers)).isTrue();
    byte[] changed =
        ProxiedPage.changed(sent.toByteArray(), headers, HtmlLinksTest::prefixed).orElseThrow();
    try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(changed))) {
      assertThat(new String(gzip.readAllBytes(), UTF_8)).isEqualTo("<a href=/proxy/ü>");
    }
  }

  @Test
  void otherDocumentsAndRedirectionsAreLeftAlone() {
    Headers page = Headers.of("Content-Type", "text/html");
    assertThat(ProxiedPage.is(page)).isTrue();
    assertThat(ProxiedPage.is(page.with("Location", "/x"))).isFalse();
    assertThat(ProxiedPage.is(page.with("Content-Encoding", "br"))).isFalse();
    assertThat(ProxiedPage.is(Headers.of("Content-Type", "text/plain"))).isFalse();
  }
}
