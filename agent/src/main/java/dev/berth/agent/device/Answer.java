package dev.berth.agent.device;

/** What came of a call over gRPC. */
public sealed interface Answer<T> {
  record Value<T>(T value) implements Answer<T> {}

  /**
   * There is none.
   *
   * @param error as gRPC says it in Go: {@code rpc error: code = Unknown desc = …}
   */
  record Failed<T>(String error) implements Answer<T> {}
}
