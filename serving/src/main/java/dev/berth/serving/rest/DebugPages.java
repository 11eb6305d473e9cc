package dev.berth.serving.rest;

import dev.berth.http.Response;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Documents about the serving process, below {@code /debug/}. Whoever runs the server says what is
 * in them; the server sees to it that only those read them who may.
 */
@FunctionalInterface
public interface DebugPages {
  /** The prefix of their paths. */
  String ROOT = "/debug/";

  /** No pages. */
  DebugPages NONE = (_, _) -> Optional.empty();

  /**
   * The answer at a path, if it is one of these. May take its time.
   *
   * @param parameter the value of a parameter of the query; empty if it is not there
   */
  Optional<Response> answer(String path, UnaryOperator<String> parameter);
}
