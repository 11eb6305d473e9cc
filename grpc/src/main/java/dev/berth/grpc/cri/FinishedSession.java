package dev.berth.grpc.cri;

import com.google.protobuf.ByteString;
import dev.berth.agent.runtime.Session;
import java.io.InputStream;
import java.io.OutputStream;

/** A command that has ended. */
record FinishedSession(ByteString output, ByteString errors, int code) implements Session {

  @Override
  public OutputStream stdin() {
    return OutputStream.nullOutputStream();
  }

  @Override
  public InputStream stdout() {
    return output.newInput();
  }

  @Override
  public InputStream stderr() {
    return errors.newInput();
  }

  @Override
  public void resize(int columns, int rows) {}

  @Override
  public int waitFor() {
    return code;
  }

  @Override
  public void close() {}
}
