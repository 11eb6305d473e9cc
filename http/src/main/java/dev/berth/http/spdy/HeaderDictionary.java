package dev.berth.http.spdy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;

/**
 * What both ends of SPDY/3 give their compressor to begin with: first words with their length in
 * four bytes, then text without.
 */
final class HeaderDictionary {
  private static final String WORDS =
      """
      options head post put delete trace accept accept-charset accept-encoding accept-language \
      accept-ranges age allow authorization cache-control connection content-base \
      content-encoding content-language content-length content-location content-md5 content-range \
      content-type date etag expect expires from host if-match if-modified-since if-none-match \
      if-range if-unmodified-since last-modified location max-forwards pragma \
      proxy-authenticate proxy-authorization range referer retry-after server te trailer \
      transfer-encoding upgrade user-agent vary via warning www-authenticate method get status \
      200_OK version HTTP/1.1 url public set-cookie keep-alive origin\
      """;

  private static final String TEXT =
      "1001012012022052063003023033043053063074024054064074084094104114124134144154164175025045"
          + "05203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request"
          + "401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error"
          + "501 Not Implemented503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct "
          + "Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMTchunked,text/html,image/png,"
          + "image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,"
          + "text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8"
          + "charset=iso-8859-1,utf-,*,enq=0.";

  private HeaderDictionary() {}

  static byte[] bytes() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String word : WORDS.split(" ", -1)) {
      byte[] bytes = word.replace('_', ' ').getBytes(US_ASCII);
      all.writeBytes(new byte[] {0, 0, 0, (byte) bytes.length});
      all.writeBytes(bytes);
    }
    all.writeBytes(TEXT.getBytes(US_ASCII));
    return all.toByteArray();
  }
}
