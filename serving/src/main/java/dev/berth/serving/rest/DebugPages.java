package dev.berth.serving.rest;

import dev.berth.http.Response;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Documents about the process that serves, below {@code /debug/}. What they hold is the matter of
 * whoever runs the server; that only those see them who may is the server's.
 */
@FunctionalInterface
public interface DebugPages {
  /** What every path of theirs begins with. */
  String ROOT = "/debug/";

  /** None at all. */
  DebugPages NONE = (_, _) -> Optional.empty();

  /**
   * The answer at a path, if it is one of these. May take its time.
   *
   * @param parameter the value of a parameter of the query; empty if it is not there
   */
  Optional<Response> answer(String path, UnaryOperator<String> parameter);
}
